//! Between the protocol and ours: places, positions, levels.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tower_lsp::lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, PositionEncodingKind, Range, Url,
};

use crate::flow::Place;
use crate::lints::{Finding, Level};
use crate::recipe::{File, FileId, Index};
use crate::text::{LineColumn, Source, Span, Unit};

/// Made-up places of documents that are no files lie here, each in a folder that is called like its address.
const ELSEWHERE: &str = "/untitled";

/// Where a document lies. One that was never saved gets a made-up place of its own folder.
pub fn path_of(uri: &Url) -> PathBuf {
    if uri.scheme() == "file"
        && let Ok(path) = uri.to_file_path()
    {
        return path;
    }
    let folder = uri.as_str().replace('%', "%25").replace('/', "%2F").replace('\\', "%5C");
    let name = uri.path().rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or("buffer");
    let name = if Path::new(name).extension().is_some() { name.to_owned() } else { format!("{name}.yaml") };
    Path::new(ELSEWHERE).join(folder).join(name)
}

/// The address of a file.
pub fn uri_of(path: &Path) -> Option<Url> {
    if let Ok(rest) = path.strip_prefix(ELSEWHERE)
        && let Some(folder) = rest.components().next().and_then(|part| part.as_os_str().to_str())
        && let Ok(uri) = Url::parse(&folder.replace("%5C", "\\").replace("%2F", "/").replace("%25", "%"))
    {
        return Some(uri);
    }
    Url::from_file_path(path).ok()
}

/// The unit that a client's encoding counts in.
pub fn unit_of(encoding: &PositionEncodingKind) -> Option<Unit> {
    match encoding.as_str() {
        "utf-8" => Some(Unit::Utf8),
        "utf-16" => Some(Unit::Utf16),
        "utf-32" => Some(Unit::Utf32),
        _ => None,
    }
}

/// The name of a unit.
pub fn encoding_of(unit: Unit) -> PositionEncodingKind {
    match unit {
        Unit::Utf8 => PositionEncodingKind::UTF8,
        Unit::Utf16 => PositionEncodingKind::UTF16,
        Unit::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// The position of an offset.
pub fn position(source: &Source, offset: usize, unit: Unit) -> Position {
    let at = source.position(offset, unit);
    Position::new(at.line as u32, at.column as u32)
}

/// The range of a span.
pub fn range(source: &Source, span: Span, unit: Unit) -> Range {
    Range::new(position(source, span.start, unit), position(source, span.end, unit))
}

/// The offset of a position.
pub fn offset(source: &Source, position: Position, unit: Unit) -> usize {
    let at = LineColumn { line: position.line as usize, column: position.character as usize };
    source.lines.offset(&source.text, at, unit)
}

/// A place of a file.
pub fn location(index: &Index, place: Place, unit: Unit) -> Option<Location> {
    let file = index.file(place.file)?;
    let uri = uri_of(file.location.as_deref()?)?;
    Some(Location::new(uri, range(&file.source, place.span, unit)))
}

/// The findings in a file as diagnostics; `related`: the client shows the places that belong to them.
pub fn diagnostics(index: &Index, file: &File, findings: &[Finding], unit: Unit, related: bool) -> Vec<Diagnostic> {
    // The ways of most findings stay in few files, and to make an address takes longer than all the rest.
    let mut addresses: HashMap<FileId, Option<Url>> = HashMap::new();
    let mut pages: HashMap<&str, Option<Url>> = HashMap::new();
    let mut each = |finding: &Finding| {
        let shown = finding.related.iter().filter(|_| related);
        let information = shown.filter_map(|related| {
            let file = index.file(related.place.file)?;
            let address = || uri_of(file.location.as_deref()?);
            let uri = addresses.entry(file.id).or_insert_with(address).clone()?;
            let location = Location::new(uri, range(&file.source, related.place.span, unit));
            Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let information: Vec<_> = information.collect();
        let page = || crate::report::url(finding.lint).and_then(|url| Url::parse(&url).ok());
        let page = pages.entry(finding.lint).or_insert_with(page).clone();
        diagnostic(file, finding, unit, information, page)
    };
    findings.iter().map(&mut each).collect()
}

fn diagnostic(
    file: &File,
    finding: &Finding,
    unit: Unit,
    information: Vec<DiagnosticRelatedInformation>,
    page: Option<Url>,
) -> Diagnostic {
    let severity = match finding.level {
        Level::Error => DiagnosticSeverity::ERROR,
        Level::Warning => DiagnosticSeverity::WARNING,
        Level::Info | Level::Off => DiagnosticSeverity::INFORMATION,
    };
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    let unnecessary = matches!(finding.lint, "unused-output" | "unused-suppression" | "unknown-field");
    Diagnostic {
        range: range(&file.source, finding.place.span, unit),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.lint.to_owned())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some("recipelint".to_owned()),
        message,
        related_information: (!information.is_empty()).then_some(information),
        tags: unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

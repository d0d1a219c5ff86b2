//! Hover: the page of a lint on a finding; where a text came from and how far it can be trusted.

use tower_lsp::lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Url};

use super::convert::{offset, range};
use super::worker::World;

impl World {
    /// What to show at a position.
    pub fn hover(&mut self, uri: &Url, position: Position) -> Option<Hover> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?.clone();
        let at = offset(&file.source, position, unit);
        let findings = session.findings(id);
        let finding =
            findings.iter().filter(|finding| finding.place.span.touches(at)).min_by_key(|f| f.place.span.len())?;
        let page = crate::lints::lint(finding.lint).map(|lint| lint.body())?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: page.to_owned() });
        Some(Hover { contents, range: Some(range(&file.source, finding.place.span, unit)) })
    }
}

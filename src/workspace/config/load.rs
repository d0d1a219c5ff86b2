//! From a file and those that it extends to layers. A configuration that cannot be read is an error with its place,
//! never a silent default.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Config, OneOrMore};
use crate::syntax::yaml;
use crate::text::{Source, Span};
use crate::workspace::disk::{Contents, Disk, absolute, reason};

/// `extends` over so many files is taken for a mistake.
const MAX_EXTENDS: usize = 32;

/// One configuration file.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Absolute.
    pub path: PathBuf,
    /// Its text; the path in it is the absolute one.
    pub source: Source,
    /// Its tree, for places.
    pub yaml: Arc<yaml::Document>,
    /// What it says.
    pub config: Config,
}

impl Layer {
    /// The folder that its paths and globs are relative to.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug)]
pub struct ConfigError {
    /// The file, absolute.
    pub path: PathBuf,
    /// Its text where it could be read, and the place in it.
    pub place: Option<(Source, Span)>,
    /// What is wrong and what to do.
    pub message: String,
}

impl ConfigError {
    fn new(path: &Path, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: None, message: message.into() }
    }

    fn at(path: &Path, source: &Source, span: Span, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: Some((source.clone(), span)), message: message.into() }
    }
}

/// A configuration file with those that it extends, the farthest first.
pub fn load(disk: &Disk, path: &Path) -> Result<Vec<Layer>, Box<ConfigError>> {
    let mut layers = Vec::new();
    load_into(disk, path, &mut Vec::new(), &mut layers)?;
    Ok(layers)
}

/// Goes up by `extends`. `open` are the files whose `extends` led here, so its length bounds the depth.
fn load_into(
    disk: &Disk,
    path: &Path,
    open: &mut Vec<PathBuf>,
    layers: &mut Vec<Layer>,
) -> Result<(), Box<ConfigError>> {
    let layer = read(disk, path)?;
    open.push(path.to_owned());
    for written in layer.config.extends.iter().flat_map(OneOrMore::all) {
        let parent = absolute(Path::new(written), layer.folder());
        let span = span_of_value(&layer.yaml, "extends", written);
        let fail = |message: String| Err(Box::new(ConfigError::at(path, &layer.source, span, message)));
        if open.contains(&parent) {
            return fail(format!("`extends: {written}` leads back to a file that extends this one"));
        }
        if open.len() + layers.len() >= MAX_EXTENDS {
            return fail(format!("more than {MAX_EXTENDS} files are extended here"));
        }
        if !disk.is_file(&parent) {
            return fail(format!("`extends: {written}`: there is no file {}", parent.display()));
        }
        if !layers.iter().any(|layer: &Layer| layer.path == parent) {
            load_into(disk, &parent, open, layers)?;
        }
    }
    open.pop();
    layers.push(layer);
    Ok(())
}

/// Reads one file.
fn read(disk: &Disk, path: &Path) -> Result<Layer, Box<ConfigError>> {
    let text = match disk.read(path) {
        Ok(Contents::Text(text)) => text,
        Ok(Contents::NotUtf8 { before, .. }) => {
            let at = before.len();
            let source = Source::new(path, before);
            return Err(ConfigError::at(path, &source, Span::at(at), "the configuration is not UTF-8").into());
        }
        Ok(Contents::TooLarge { .. }) => return Err(ConfigError::new(path, "the configuration is too large").into()),
        Err(error) => {
            let message = format!("the configuration could not be read: {}", reason(&error));
            return Err(ConfigError::new(path, message).into());
        }
    };
    let source = Source::new(path, text);
    let yaml = yaml::parse(&source.text);
    if let Some(error) = yaml.errors.first() {
        return Err(ConfigError::at(path, &source, error.span, format!("not YAML: {}", error.message)).into());
    }
    let empty = yaml.root.as_ref().is_none_or(|root| root.text().is_some_and(str::is_empty));
    if yaml.root.as_ref().is_some_and(|root| !root.is_mapping()) && !empty {
        let span = yaml.root.as_ref().map_or(Span::at(0), |root| root.span);
        let line = source.lines.span(source.lines.line(span.start), &source.text);
        return Err(ConfigError::at(path, &source, line, "a configuration is a mapping of keys to values").into());
    }
    let config = if empty {
        Config::default()
    } else {
        match serde_yaml::from_str::<Config>(source.text.trim_start_matches('\u{feff}')) {
            Ok(config) => config,
            Err(error) => {
                let place = error.location();
                let line = place.as_ref().map_or(0, |place| place.line().saturating_sub(1));
                let whole = source.lines.span(line, &source.text);
                let column = place.map_or(0, |place| place.column().saturating_sub(1));
                let start = source.lines.offset(
                    &source.text,
                    crate::text::LineColumn { line, column },
                    crate::text::Unit::Utf32,
                );
                let message = without_position(&error.to_string());
                return Err(
                    ConfigError::at(path, &source, Span::new(start.max(whole.start), whole.end), message).into()
                );
            }
        }
    };
    Ok(Layer { path: path.to_owned(), source, yaml: Arc::new(yaml), config })
}

/// The reader's message without the place, which is given with the error.
fn without_position(message: &str) -> String {
    match message.rfind(" at line ") {
        Some(at) => message.get(..at).unwrap_or(message).to_owned(),
        None => message.to_owned(),
    }
}

/// Where a text stands among the values of a key: the value itself, or an item of its list.
pub(super) fn span_of_value(yaml: &yaml::Document, key: &str, value: &str) -> Span {
    let Some(node) = yaml.root.as_ref().and_then(|root| root.get(key)) else { return Span::at(0) };
    let item = node.items().iter().find(|item| item.text() == Some(value));
    item.unwrap_or(node).span
}

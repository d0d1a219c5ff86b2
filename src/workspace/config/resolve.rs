//! Which configuration holds for a file: one answer for the command line and the editor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use globset::{GlobBuilder, GlobMatcher};

use super::load::{ConfigError, Layer, load};
use super::{HelperConfig, StageConfig, VocabularyConfig};
use crate::flow::{Helper, Stage};
use crate::lints::{OwnVocabulary, Settings};
use crate::workspace::disk::{Disk, absolute};

/// Names of configuration files; the first that is there is read.
pub const NAMES: [&str; 2] = ["recipelint.yaml", ".recipelint.yaml"];

/// Where configurations come from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Choice {
    /// The nearest one above each file, up to the repository's root.
    #[default]
    Nearest,
    /// This one for all files, absolute.
    File(PathBuf),
    /// None.
    None,
}

/// A configuration as it holds for files: its layers, the nearest last.
#[derive(Debug)]
pub struct Chain {
    /// The files, those that are extended first.
    pub layers: Vec<Layer>,
    globs: Vec<LayerGlobs>,
}

/// The globs of a layer.
#[derive(Debug, Default)]
struct LayerGlobs {
    include: Vec<Glob>,
    exclude: Vec<Glob>,
    overrides: Vec<Vec<Glob>>,
}

/// A glob, and whether it matched anything.
#[derive(Debug)]
pub(super) struct Glob {
    pub(super) text: String,
    matcher: GlobMatcher,
    /// Compared with names alone.
    by_name: bool,
    pub(super) hit: AtomicBool,
}

impl Glob {
    fn new(text: &str) -> Result<Self, globset::Error> {
        let plain = text.strip_prefix("./").unwrap_or(text);
        let plain = plain.strip_suffix('/').unwrap_or(plain);
        let matcher = GlobBuilder::new(plain).literal_separator(true).build()?.compile_matcher();
        Ok(Self { text: text.to_owned(), matcher, by_name: !plain.contains('/'), hit: AtomicBool::new(false) })
    }

    /// Whether it matches a path below the layer's folder, or a folder that the path lies in.
    fn matches(&self, below: &Path) -> bool {
        let mut paths = below.ancestors().filter(|path| !path.as_os_str().is_empty());
        let found = paths.any(|path| match path.file_name() {
            Some(name) if self.by_name => self.matcher.is_match(name),
            _ => self.matcher.is_match(path),
        });
        if found {
            self.hit.store(true, Ordering::Relaxed);
        }
        found
    }
}

/// Finds and keeps configurations.
#[derive(Debug, Default)]
pub struct Resolver {
    choice: Choice,
    cache: Mutex<HashMap<PathBuf, Found>>,
}

type Found = Result<Option<Arc<Chain>>, Box<ConfigError>>;

impl Resolver {
    /// A resolver that has read nothing yet.
    pub fn new(choice: Choice) -> Self {
        Self { choice, cache: Mutex::default() }
    }

    /// The configuration of a file (absolute); `None` where there is none.
    pub fn resolve(&self, disk: &Disk, file: &Path) -> Found {
        match &self.choice {
            Choice::None => Ok(None),
            Choice::File(path) => self.cached(path, || Chain::load(disk, path).map(|chain| Some(Arc::new(chain)))),
            Choice::Nearest => self.nearest(disk, file.parent().unwrap_or(file)),
        }
    }

    /// Goes up until a folder has a configuration or is the root of a repository. All folders on the way share the answer.
    fn nearest(&self, disk: &Disk, folder: &Path) -> Found {
        let mut way = Vec::new();
        let mut found = Ok(None);
        for folder in folder.ancestors() {
            if let Some(known) = self.known(folder) {
                found = known;
                break;
            }
            way.push(folder.to_owned());
            if let Some(path) = NAMES.iter().map(|name| folder.join(name)).find(|path| disk.is_file(path)) {
                found = Chain::load(disk, &path).map(|chain| Some(Arc::new(chain)));
                break;
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in way {
            cache.insert(folder, found.clone());
        }
        found
    }

    fn known(&self, key: &Path) -> Option<Found> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn cached(&self, key: &Path, make: impl FnOnce() -> Found) -> Found {
        if let Some(known) = self.known(key) {
            return known;
        }
        let made = make();
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), made.clone());
        made
    }

    /// All configurations that were found so far, by the path of their last layer.
    pub fn chains(&self) -> Vec<Arc<Chain>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let mut chains: Vec<Arc<Chain>> = cache.values().filter_map(|found| found.clone().ok().flatten()).collect();
        chains.sort_by(|a, b| a.path().cmp(b.path()));
        chains.dedup_by(|a, b| Arc::ptr_eq(a, b));
        chains
    }
}

impl Chain {
    /// Reads a configuration file and those that it extends.
    pub fn load(disk: &Disk, path: &Path) -> Result<Self, Box<ConfigError>> {
        let layers = load(disk, path)?;
        let globs = layers.iter().map(LayerGlobs::of).collect::<Result<_, _>>()?;
        Ok(Self { layers, globs })
    }

    /// The file that was found.
    pub fn path(&self) -> &Path {
        self.layers.last().map_or(Path::new(""), |layer| layer.path.as_path())
    }

    /// Whether a file that was met in a folder is to be checked.
    pub fn admits(&self, file: &Path) -> bool {
        let mut included = None;
        let mut excluded = false;
        for (layer, globs) in self.layers.iter().zip(&self.globs) {
            let Ok(below) = file.strip_prefix(layer.folder()) else { continue };
            if !globs.include.is_empty() {
                let hit = globs.include.iter().filter(|glob| glob.matches(below)).count() > 0;
                included = Some(included.unwrap_or(false) || hit);
            }
            excluded |= globs.exclude.iter().filter(|glob| glob.matches(below)).count() > 0;
        }
        included.unwrap_or(true) && !excluded
    }

    /// The settings of a file.
    pub fn settings(&self, file: &Path) -> Settings {
        let mut settings = Settings::default();
        for layer in &self.layers {
            let config = &layer.config;
            settings.levels.extend(config.levels.iter().map(|(id, level)| (id.clone(), *level)));
            settings.require_reasons = config.require_reasons.unwrap_or(settings.require_reasons);
            settings.engine_version = config.engine_version.clone().or(settings.engine_version);
            settings.flow.agent_outputs.extend(config.agent_outputs.iter().cloned());
            settings.flow.trusted_outputs.extend(config.trusted_outputs.iter().cloned());
            settings.documentation_keys.extend(config.documentation_keys.iter().cloned());
            settings.flow.helpers.extend(config.helpers.iter().map(helper));
            settings.vocabularies.extend(config.vocabularies.iter().map(vocabulary));
            let paths = config.search_paths.iter().map(|path| absolute(Path::new(path), layer.folder()));
            settings.search_paths.extend(paths);
        }
        for (layer, globs) in self.layers.iter().zip(&self.globs) {
            let Ok(below) = file.strip_prefix(layer.folder()) else { continue };
            for (some, globs) in layer.config.overrides.iter().zip(&globs.overrides) {
                if globs.iter().filter(|glob| glob.matches(below)).count() > 0 {
                    settings.levels.extend(some.levels.iter().map(|(id, level)| (id.clone(), *level)));
                }
            }
        }
        settings
    }

    /// The globs of a layer that matched none of the files that were asked about.
    pub(super) fn idle_globs(&self, layer: usize) -> Vec<&Glob> {
        let Some(globs) = self.globs.get(layer) else { return Vec::new() };
        let all = globs.include.iter().chain(&globs.exclude).chain(globs.overrides.iter().flatten());
        all.filter(|glob| !glob.hit.load(Ordering::Relaxed)).collect()
    }

    /// Asks all globs about a path that was met, so that [`Self::idle_globs`] knows of it.
    pub fn meet(&self, path: &Path) {
        for (layer, globs) in self.layers.iter().zip(&self.globs) {
            if let Ok(below) = path.strip_prefix(layer.folder()) {
                let all = globs.include.iter().chain(&globs.exclude).chain(globs.overrides.iter().flatten());
                for glob in all {
                    glob.matches(below);
                }
            }
        }
    }
}

impl LayerGlobs {
    fn of(layer: &Layer) -> Result<Self, Box<ConfigError>> {
        let one = |text: &String| {
            Glob::new(text).map_err(|error| {
                let span = find_scalar(layer, text);
                Box::new(ConfigError {
                    path: layer.path.clone(),
                    place: Some((layer.source.clone(), span)),
                    message: format!("`{text}` is not a glob: {}", error.kind()),
                })
            })
        };
        let all = |texts: &[String]| texts.iter().map(one).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            include: all(&layer.config.include)?,
            exclude: all(&layer.config.exclude)?,
            overrides: layer.config.overrides.iter().map(|some| all(&some.files)).collect::<Result<_, _>>()?,
        })
    }
}

/// Where a text stands in a configuration file.
pub(super) fn find_scalar(layer: &Layer, text: &str) -> crate::text::Span {
    let mut open: Vec<_> = layer.yaml.root.iter().collect();
    let mut found = None;
    while let Some(node) = open.pop() {
        if node.text() == Some(text) {
            found = Some(found.map_or(node.span, |known: crate::text::Span| known.min(node.span)));
        }
        open.extend(node.items());
        open.extend(node.entries().iter().map(|entry| &entry.value));
    }
    found.unwrap_or_default()
}

fn helper(config: &HelperConfig) -> Helper {
    let command =
        config.command.all().iter().flat_map(|words| words.split_whitespace()).map(ToOwned::to_owned).collect();
    let stage = match config.stage {
        StageConfig::ExtractJson => Stage::ExtractJson,
        StageConfig::ExtractField => Stage::ExtractField,
        StageConfig::NormaliseVerdict => Stage::NormaliseVerdict,
        StageConfig::NormaliseLoopVerdict => Stage::NormaliseLoop,
        StageConfig::NormaliseType => Stage::NormaliseType,
        StageConfig::ExtractWhole => Stage::ExtractWhole,
        StageConfig::Normalise => Stage::Normalise(config.vocabulary.clone().unwrap_or_default()),
    };
    Helper { command, stage }
}

fn vocabulary(config: &VocabularyConfig) -> OwnVocabulary {
    OwnVocabulary {
        name: config.name.clone(),
        fields: config.fields.clone(),
        tokens: config.tokens.iter().map(|one| (one.token.clone(), one.synonyms.clone(), one.passes)).collect(),
        default: config.default.clone(),
    }
}

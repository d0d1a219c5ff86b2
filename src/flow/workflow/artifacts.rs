//! Files that go from job to job: `actions/upload-artifact` and `actions/download-artifact`.
//!
//! An artifact keeps its files' paths below the least common folder of what was uploaded; a single file keeps its name
//! only (source: README of actions/upload-artifact v4). Which of the two it is does not matter here: a file is found
//! under all of these names.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::scope::{Scope, Text};
use crate::flow::Value;
use crate::recipe::NamedText;

/// Artifacts of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Artifacts {
    by_name: BTreeMap<String, Artifact>,
}

#[derive(Clone, Debug, Default)]
struct Artifact {
    /// By path in the artifact.
    files: BTreeMap<Arc<str>, Value>,
    /// What the agents were told in the job that uploaded it.
    told: Vec<Arc<str>>,
}

impl Artifacts {
    /// `actions/upload-artifact`
    pub fn upload(&mut self, inputs: &HashMap<String, Text>, written: &[NamedText], scope: &Scope) {
        let text = |name: &str| literal(inputs, name).map(str::to_owned).or_else(|| as_written(written, name));
        let Some(paths) = text("path") else { return };
        let name = text("name").unwrap_or_else(|| "artifact".to_owned());
        let artifact = self.by_name.entry(name).or_default();
        artifact.told.extend(scope.told.iter().cloned());
        for line in paths.lines().map(|line| line.trim().trim_start_matches("./")).filter(|line| !line.is_empty()) {
            let folder = line.split('*').next().unwrap_or_default().trim_end_matches('/');
            for (path, content) in &scope.files {
                let inside = path.strip_prefix(folder).filter(|rest| folder.is_empty() || rest.starts_with('/'));
                let within = inside.map(|rest| rest.trim_start_matches('/')).filter(|rest| !rest.is_empty());
                if **path == *line || within.is_some() {
                    for name in [within.unwrap_or_default(), last_part(path), path] {
                        artifact.files.insert(name.into(), content.clone());
                    }
                }
            }
        }
        artifact.files.remove("");
    }

    /// `actions/download-artifact`
    pub fn download(&self, inputs: &HashMap<String, Text>, scope: &mut Scope) {
        let wanted = literal(inputs, "name").filter(|name| !name.is_empty());
        let folder = literal(inputs, "path").unwrap_or_default().trim_start_matches("./").trim_end_matches('/');
        let below = |parts: &[&str]| {
            let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty() && *part != ".").collect();
            parts.join("/")
        };
        for (name, artifact) in self.by_name.iter().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == **name)) {
            scope.fetched.extend(artifact.told.iter().cloned());
            for (path, content) in &artifact.files {
                for key in [below(&[folder, path]), below(&[folder, name, path])] {
                    scope.files.entry(key.into()).or_insert_with(|| content.clone());
                }
            }
        }
    }
}

fn literal<'a>(inputs: &'a HashMap<String, Text>, name: &str) -> Option<&'a str> {
    inputs.get(name).and_then(|text| text.value.literal.as_deref()).map(str::trim)
}

/// An input with expressions in it, as scripts call the file that has them in its name.
fn as_written(inputs: &[NamedText], name: &str) -> Option<String> {
    let input = inputs.iter().find(|input| input.name.value == name)?;
    Some(input.text.text().trim().replace("${{", "{{"))
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

//! Installed versions of packages, as far as `package.json` and its lock file tell, and problems that depend on them.

use super::{Base, File, Index, Mention, MentionKind, Problem};
use crate::text::{Span, Spanned};

/// Major, minor, patch.
pub type Version = [u64; 3];

/// The versions that may be installed: from the first on, before the second (`None`: no end).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The lowest.
    pub from: Version,
    /// The first that is too high.
    pub before: Option<Version>,
}

/// A problem that only some versions of a package have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned {
    /// The package.
    pub package: &'static str,
    /// The first version that has it; `None`: it was always there.
    pub from: Option<Version>,
    /// The first version that no longer has it; `None`: it still is there.
    pub before: Option<Version>,
    /// The problem.
    pub problem: Problem,
}

impl Versions {
    /// Whether every version lies before this one; `None` when only some do.
    pub fn all_before(self, version: Version) -> Option<bool> {
        if self.before.is_some_and(|before| before <= version) {
            Some(true)
        } else if self.from >= version {
            Some(false)
        } else {
            None
        }
    }
}

/// The problems of one lint that hold for the versions that are installed. Where that is not certain, none.
pub fn versioned_problems(file: &File, index: &Index, lint: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for versioned in file.recipe.versioned.iter().filter(|versioned| versioned.problem.lint == lint) {
        let Some(installed) = installed(file, index, versioned.package) else { continue };
        let late = versioned.from.is_none_or(|from| installed.all_before(from) == Some(false));
        let early = versioned.before.is_none_or(|before| installed.all_before(before) == Some(true));
        if late && early {
            problems.push(versioned.problem.clone());
        }
    }
    problems
}

/// The versions of a package that may be installed for a file: the lock file's, else the range of the nearest
/// `package.json` that names it. `None`: neither says.
pub fn installed(file: &File, index: &Index, package: &str) -> Option<Versions> {
    let locked = manifests(file, index, "package-lock.json").find_map(|lock| {
        let key = format!("node_modules/{package}");
        let version = lock.get("packages")?.get(&key)?.get("version")?.as_str()?;
        let version = version_of(version)?.0;
        Some(Versions { from: version, before: Some([version[0], version[1], version[2].saturating_add(1)]) })
    });
    locked.or_else(|| {
        manifests(file, index, "package.json").find_map(|manifest| {
            ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
                .iter()
                .find_map(|section| range(manifest.get(section)?.get(package)?.as_str()?))
        })
    })
}

/// Manifests of a name, nearest first.
fn manifests<'a>(file: &'a File, index: &'a Index, name: &str) -> impl Iterator<Item = serde_json::Value> + 'a {
    let path = Spanned::new(name.to_owned(), Span::at(0));
    let mention = Mention { path, base: Base::Upward, kind: MentionKind::Package };
    index
        .candidates(file, &mention)
        .into_iter()
        .filter_map(|path| index.at(&path))
        .filter_map(|manifest| serde_json::from_str(&manifest.source.text).ok())
}

/// A version and how many of its parts are written; pre-releases count as the version they lead to.
fn version_of(text: &str) -> Option<(Version, usize)> {
    let text = text.trim().trim_start_matches(['v', '=']);
    let core = text.split(['-', '+']).next()?;
    let mut version = [0; 3];
    let mut written = 0;
    for (slot, part) in version.iter_mut().zip(core.split('.')) {
        if matches!(part, "x" | "X" | "*") {
            break;
        }
        *slot = part.parse().ok()?;
        written += 1;
    }
    (written > 0).then_some((version, written))
}

/// A range as npm has it: one comparator. Sets of ranges, tags, paths and workspaces say nothing.
fn range(text: &str) -> Option<Versions> {
    let text = text.trim();
    let (operator, rest) = match text.find(|character: char| character.is_ascii_digit() || character == 'v')? {
        0 => ("", text),
        at => text.split_at(at),
    };
    if rest.contains([' ', '|', ',']) {
        return None;
    }
    let (version, written) = version_of(rest)?;
    let [major, minor, patch] = version;
    let before = match (operator.trim(), written) {
        (">=", _) => None,
        ("^", _) if major > 0 => Some([major.saturating_add(1), 0, 0]),
        ("^", 1) => Some([1, 0, 0]),
        ("^", _) if minor > 0 => Some([0, minor.saturating_add(1), 0]),
        ("^", 2) => Some([0, 1, 0]),
        ("^", _) => Some([0, 0, patch.saturating_add(1)]),
        ("" | "=" | "~", 1) => Some([major.saturating_add(1), 0, 0]),
        ("" | "=", 2) | ("~", _) => Some([major, minor.saturating_add(1), 0]),
        ("" | "=", _) => Some([major, minor, patch.saturating_add(1)]),
        _ => return None,
    };
    Some(Versions { from: version, before })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn ranges() {
        type Row = (&'static str, Option<(Version, Option<Version>)>);
        let table: &[Row] = &[
            ("0.12.0", Some(([0, 12, 0], Some([0, 12, 1])))),
            ("^0.11.0", Some(([0, 11, 0], Some([0, 12, 0])))),
            ("^0.0.3", Some(([0, 0, 3], Some([0, 0, 4])))),
            ("^9.1.1", Some(([9, 1, 1], Some([10, 0, 0])))),
            ("~9.1.1", Some(([9, 1, 1], Some([9, 2, 0])))),
            ("9", Some(([9, 0, 0], Some([10, 0, 0])))),
            ("9.x", Some(([9, 0, 0], Some([10, 0, 0])))),
            (">=10.0.1", Some(([10, 0, 1], None))),
            ("10.0.1-beta.1", Some(([10, 0, 1], Some([10, 0, 2])))),
            ("<10", None),
            (">=9 <11", None),
            ("^9 || ^10", None),
            ("latest", None),
            ("*", None),
            ("workspace:*", None),
            ("file:../outpost", None),
        ];
        for (text, expected) in table {
            let found = range(text).map(|versions| (versions.from, versions.before));
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_certain_is_not_said() {
        let versions = |from, before| Versions { from, before };
        assert_eq!(versions([9, 0, 0], Some([10, 0, 0])).all_before([10, 0, 0]), Some(true));
        assert_eq!(versions([9, 0, 0], Some([11, 0, 0])).all_before([10, 0, 0]), None);
        assert_eq!(versions([10, 0, 1], None).all_before([10, 0, 0]), Some(false));
        assert_eq!(versions([9, 0, 0], None).all_before([10, 0, 0]), None);
    }
}

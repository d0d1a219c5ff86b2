//! Which function of which package an expression means.

use crate::syntax::typescript::{Binding, Expression, ExpressionKind, Fold, Program, Step};

/// How many names may stand for one another.
const MAX_HOPS: usize = 16;

/// Packages that this linter knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Package {
    /// `@ai-hero/sandcastle`
    Sandcastle,
    /// `@ai-hero/sandcastle/sandboxes/*`
    SandcastleSandbox,
    /// `@elie-laloum/outpost` and its sub-paths
    Outpost,
    /// `zod`
    Zod,
    /// A library whose schemas only validate.
    Validation,
}

impl Package {
    fn of(module: &str) -> Option<Self> {
        match module {
            "@ai-hero/sandcastle" => Some(Self::Sandcastle),
            "@elie-laloum/outpost" => Some(Self::Outpost),
            "zod" | "zod/v4" | "zod/v3" | "zod/mini" | "zod/v4-mini" => Some(Self::Zod),
            "valibot" => Some(Self::Validation),
            _ if module.starts_with("@ai-hero/sandcastle/sandboxes/") => Some(Self::SandcastleSandbox),
            _ if module.starts_with("@elie-laloum/outpost/") => Some(Self::Outpost),
            _ => None,
        }
    }
}

/// A function or object of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Api {
    /// The package.
    pub package: Package,
    /// The way to it: `["run"]`, `["Output", "object"]`; empty for the package itself.
    pub path: Vec<String>,
}

impl Api {
    /// Whether it is this one.
    pub fn is(&self, package: Package, path: &[&str]) -> bool {
        self.package == package && self.path == path
    }
}

/// A program with what its names mean.
#[derive(Debug)]
pub struct Apis<'a> {
    /// Its constants.
    pub fold: Fold<'a>,
}

impl<'a> Apis<'a> {
    /// Reads a program.
    pub fn new(program: &'a Program) -> Self {
        Self { fold: Fold::new(program) }
    }

    /// What an expression means, if it is a function or object of a known package: through imports, `require`, aliases,
    /// destructuring and constants.
    pub fn of(&self, expression: &'a Expression) -> Option<Api> {
        self.follow(expression, MAX_HOPS)
    }

    /// What the callee of a call means.
    pub fn called(&self, call: &'a Expression) -> Option<Api> {
        match &call.kind {
            ExpressionKind::Call { callee, .. } => self.of(callee),
            _ => None,
        }
    }

    fn follow(&self, expression: &'a Expression, left: usize) -> Option<Api> {
        let left = left.checked_sub(1)?;
        match &expression.awaited().kind {
            ExpressionKind::Name(name) => {
                let declaration = self.fold.scopes.find(name, expression.span.start)?;
                match &declaration.binding {
                    Binding::Import(module, exported) => {
                        let path = if matches!(*exported, "*" | "default") {
                            Vec::new()
                        } else {
                            vec![(*exported).to_owned()]
                        };
                        let package = Package::of(module)?;
                        // `import z from "zod"`, `import { z } from "zod"`: the same object.
                        let path = if package == Package::Zod && path == ["z"] { Vec::new() } else { path };
                        Some(Api { package, path })
                    }
                    Binding::Value(value, steps) if !declaration.changed => {
                        let mut api = self.follow(value, left)?;
                        for step in steps {
                            let Step::Key(key) = step else { return None };
                            api.path.push(key.clone());
                        }
                        Some(api)
                    }
                    _ => None,
                }
            }
            ExpressionKind::Member { object, property } => {
                let mut api = self.follow(object, left)?;
                match property.value.as_str() {
                    "z" if api.package == Package::Zod && api.path.is_empty() => {}
                    "default" if api.path.is_empty() => {}
                    name => api.path.push(name.to_owned()),
                }
                Some(api)
            }
            ExpressionKind::Call { callee, arguments, .. } => {
                let loads = matches!(callee.name(), Some("require" | "import"));
                let ExpressionKind::String(module) = &arguments.first().filter(|_| loads)?.value.kind else {
                    return None;
                };
                Some(Api { package: Package::of(module.text())?, path: Vec::new() })
            }
            _ => None,
        }
    }
}

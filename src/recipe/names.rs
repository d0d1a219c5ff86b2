//! Where the names of a recipe's context are written: declared, produced, handed on and read, in every spelling.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::environment::{PREFIX, alias, environment_name};
use super::{Action, File, GuardLanguage, NamedText, Recipe, Script};
use crate::syntax::shell::ast::{
    AssignValue, Command, CommandKind, Parameter, ParameterOp, PartKind, Simple, WordPart,
};
use crate::syntax::shell::visit::{self, Visitor};
use crate::syntax::{condition, template};
use crate::text::{Fragment, Span};

/// A name at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// The name alone, without braces, `$` and fields.
    pub span: Span,
    /// The name as written there: for [`Spelling::Variable`] what follows `RECIPE_VAR_` (fields included), for
    /// [`Spelling::Alias`] the capitals.
    pub name: String,
    /// The fields that are read from it; empty for the spellings of the shell.
    pub fields: Vec<String>,
    /// How it is written.
    pub spelling: Spelling,
    /// What is done with it.
    pub role: Role,
    /// The step, by its place in the recipe; `None` in the head of the recipe and in hooks.
    pub step: Option<usize>,
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// A key or value of the recipe: `context: {x: …}`, `output: x`.
    Key,
    /// `{{x}}`, `{{x.field}}`
    Template,
    /// `x`, `x.field` in a condition.
    Condition,
    /// `$RECIPE_VAR_x`, `$RECIPE_VAR_x__field`
    Variable,
    /// `$X`
    Alias,
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is given a default: `context`.
    Declare,
    /// It is expected from outside: `context_validation`.
    Expect,
    /// A step's output.
    Output,
    /// It is set in the context of a sub-recipe.
    Argument,
    /// It is read.
    Read,
    /// It is read where there is a plan for it to be missing: `${x:-y}`.
    ReadIfSet,
}

impl Role {
    /// Whether the name is read, one way or the other.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Read | Self::ReadIfSet)
    }
}

impl NameUse {
    /// Whether this is the variable `key` of the context, and the fields that are read from it. Fields of the shell's
    /// spellings come in their own writing (`__` between them).
    pub fn of(&self, key: &str) -> Option<Vec<String>> {
        match self.spelling {
            Spelling::Key | Spelling::Condition => (self.name == key).then(|| self.fields.clone()),
            Spelling::Template => (self.name == key || self.whole() == key).then(|| self.fields.clone()),
            Spelling::Variable => {
                let rest = self.name.strip_prefix(&environment_name(key))?;
                if rest.is_empty() {
                    return Some(Vec::new());
                }
                rest.strip_prefix("__").map(|fields| fields.split("__").map(str::to_owned).collect())
            }
            Spelling::Alias => (alias(key).as_deref() == Some(self.name.as_str())).then(Vec::new),
        }
    }

    /// The name with its fields, as templates write it.
    pub fn whole(&self) -> String {
        std::iter::once(&self.name).chain(&self.fields).map(String::as_str).collect::<Vec<_>>().join(".")
    }
}

/// The names of one recipe.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// In the order of the recipe: head, hooks, steps.
    pub uses: Vec<NameUse>,
    /// Names with a default or a check, which are there before the first step.
    pub declared: BTreeSet<String>,
    /// The steps that leave an output under a name, in order.
    pub outputs: HashMap<String, Vec<usize>>,
    /// The steps that set a name in the context of a sub-recipe, in order.
    pub arguments: HashMap<String, Vec<usize>>,
    /// The steps that run another recipe.
    pub calls: Vec<usize>,
    /// For each step, the first one that it runs together with, and the first after these.
    pub groups: Vec<(usize, usize)>,
    /// Names between braces that the engine leaves as they are, with the place from brace to brace.
    pub unfilled: Vec<(String, Span)>,
    /// Names in scripts that are mentioned in a way that is not followed: inside a program's text, in a comment.
    pub mentioned: BTreeSet<String>,
    /// A script reads the file with the whole context.
    pub reads_everything: bool,
}

impl Names {
    /// The names of a file; empty for formats that have no context.
    pub fn of(file: &File) -> Self {
        let mut collector = Collector { names: Self::default(), step: None };
        if file.dialect == super::Dialect::Amplihack {
            collector.head(file);
            collector.recipe(&file.recipe);
        }
        collector.names
    }

    /// The step from which on the outputs of a step can be read.
    pub fn after(&self, step: usize) -> usize {
        self.groups.get(step).map_or(step + 1, |(_, after)| *after)
    }

    /// The steps whose outputs a step can read: those before this one.
    pub fn before(&self, step: usize) -> usize {
        self.groups.get(step).map_or(step, |(first, _)| *first)
    }
}

struct Collector {
    names: Names,
    step: Option<usize>,
}

impl Collector {
    fn head(&mut self, file: &File) {
        for variable in &file.recipe.variables {
            self.names.declared.insert(variable.name.value.clone());
            self.key(&variable.name.value, variable.name.span, Role::Declare);
        }
        for name in &file.recipe.expected {
            self.names.declared.insert(name.value.clone());
            self.key(&name.value, name.span, Role::Expect);
        }
    }

    fn recipe(&mut self, recipe: &Recipe) {
        for (_, script) in &recipe.hooks {
            self.script(script);
        }
        let group = |at: usize| recipe.steps.get(at).and_then(|step| step.group.as_ref()).map(|group| &group.value);
        let mut at = 0;
        while at < recipe.steps.len() {
            let together = (at..recipe.steps.len()).take_while(|next| *next == at || group(*next) == group(at));
            let after = if group(at).is_some() { at + together.count() } else { at + 1 };
            self.names.groups.extend((at..after).map(|_| (at, after)));
            at = after;
        }
        for (at, step) in recipe.steps.iter().enumerate() {
            self.step = Some(at);
            if let Some(guard) = &step.condition
                && guard.language == GuardLanguage::Engine
            {
                self.condition(&guard.text);
            }
            for text in &step.texts {
                self.template(&text.text);
            }
            match &step.action {
                Action::Agent(call) => {
                    if let Some(prompt) = call.prompt.as_ref().map(|prompt| &prompt.text) {
                        self.template(prompt);
                    }
                }
                Action::Script(script) => self.script(script),
                Action::Recipe(call) => {
                    self.names.calls.push(at);
                    for NamedText { name, text, .. } in &call.context {
                        self.names.arguments.entry(name.value.clone()).or_default().push(at);
                        self.key(&name.value, name.span, Role::Argument);
                        self.template(text);
                    }
                }
                Action::Uses(_) | Action::Other(_) | Action::Nothing => {}
            }
            if let Some(output) = &step.output {
                self.names.outputs.entry(output.name.value.clone()).or_default().push(at);
                self.key(&output.name.value, output.name.span, Role::Output);
            }
        }
    }

    fn key(&mut self, name: &str, span: Span, role: Role) {
        self.push(span, name.to_owned(), Vec::new(), Spelling::Key, role);
    }

    fn push(&mut self, span: Span, name: String, fields: Vec<String>, spelling: Spelling, role: Role) {
        self.names.uses.push(NameUse { span, name, fields, spelling, role, step: self.step });
    }

    fn condition(&mut self, text: &Fragment) {
        let condition = condition::parse(text.text());
        // What the engine never fills and never reads was meant to be read: nobody calls it unused.
        self.names.mentioned.extend(template::holes(text.text()).into_iter().map(|hole| root_of(&hole.name)));
        let rest = condition.rest.and_then(|rest| text.text().get(rest.range())).unwrap_or_default();
        let words = rest.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
        self.names.mentioned.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        for read in condition.reads() {
            if read.name == "NOT" {
                continue;
            }
            // A call of a function that the engine does not have: the condition is wrong, and the name no variable.
            if text.text().get(read.name_span.end..).is_some_and(|rest| rest.trim_start().starts_with('(')) {
                continue;
            }
            let fields = read.fields().map(str::to_owned).collect();
            self.push(text.locate(read.name_span), read.name.to_owned(), fields, Spelling::Condition, Role::Read);
        }
    }

    fn template(&mut self, text: &Fragment) {
        self.holes(text, &[]);
    }

    fn holes(&mut self, text: &Fragment, comments: &[Span]) {
        for hole in template::near_holes(text.text()) {
            let commented = comments.iter().any(|comment| comment.covers(hole.span));
            let name = root_of(&hole.name);
            self.names.mentioned.insert(name.clone());
            if !commented {
                self.names.unfilled.push((name, text.locate(hole.span)));
            }
        }
        for hole in template::holes(text.text()) {
            let at = comments.partition_point(|comment| comment.end <= hole.span.start);
            if comments.get(at).is_some_and(|comment| comment.covers(hole.span)) {
                self.names.mentioned.insert(hole.name);
                continue;
            }
            let mut parts = hole.name.split('.').map(str::to_owned);
            let name = parts.next().unwrap_or_default();
            let start = hole.name_span.start;
            let span = text.locate(start..start + name.len());
            self.push(span, name, parts.collect(), Spelling::Template, Role::Read);
        }
    }

    fn script(&mut self, script: &Script) {
        let text = script.fragment.text();
        let tree = script.tree();
        self.holes(&script.fragment, &tree.comments);
        let own = assigned(&tree);
        let mut reads = Reads { own: &own, found: Vec::new() };
        visit::list(&tree.body, &mut reads);
        let mut followed = BTreeSet::new();
        for (parameter, name, spelling) in reads.found {
            let role = if is_guarded(&parameter.op) { Role::ReadIfSet } else { Role::Read };
            let skipped = parameter.name.len() - name.len();
            let span = Span::new(parameter.name_span.start + skipped, parameter.name_span.end);
            followed.insert(parameter.name_span.start);
            self.push(script.fragment.locate(span), name, Vec::new(), spelling, role);
        }
        self.names.reads_everything |= text.contains("AMPLIHACK_CONTEXT_FILE");
        for (at, _) in text.match_indices(PREFIX).filter(|(at, _)| !followed.contains(at)) {
            let rest = text.get(at + PREFIX.len()..).unwrap_or_default();
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            self.names.mentioned.insert(rest.get(..end).unwrap_or_default().to_owned());
        }
        // Programs that a script runs find the aliases in their environment.
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if word.len() > 1
                && word.starts_with(|c: char| c.is_ascii_uppercase())
                && !word.starts_with(PREFIX)
                && !self.names.mentioned.contains(word)
            {
                self.names.mentioned.insert(word.to_owned());
            }
        }
    }
}

/// The name before the first dot.
fn root_of(name: &str) -> String {
    name.split('.').next().unwrap_or(name).to_owned()
}

/// `${x:-…}` and its like say what to do when there is nothing.
fn is_guarded(op: &ParameterOp) -> bool {
    matches!(
        op,
        ParameterOp::Default { .. }
            | ParameterOp::Assign { .. }
            | ParameterOp::Error { .. }
            | ParameterOp::Alternative { .. }
    )
}

struct Reads<'a> {
    own: &'a BTreeSet<String>,
    found: Vec<(&'a Parameter, String, Spelling)>,
}

impl<'a> Visitor<'a> for Reads<'a> {
    fn part(&mut self, part: &'a WordPart) {
        let PartKind::Parameter(parameter) = &part.kind else { return };
        if self.own.contains(&parameter.name) {
            return;
        }
        if let Some(name) = parameter.name.strip_prefix(PREFIX) {
            self.found.push((parameter, name.to_owned(), Spelling::Variable));
        } else if parameter.name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && !parameter.name.chars().any(|c| c.is_ascii_lowercase())
        {
            self.found.push((parameter, parameter.name.clone(), Spelling::Alias));
        }
    }
}

/// The names that a script gives values to itself.
pub fn assigned(script: &crate::syntax::shell::Script) -> BTreeSet<String> {
    struct Assigned(BTreeSet<String>);
    impl Assigned {
        fn simple(&mut self, simple: &Simple) {
            let with_values = simple.assignments.iter().filter(|one| !refers_to_itself(&one.value, &one.name));
            self.0.extend(with_values.chain(&simple.declared).map(|one| one.name.clone()));
            let mut words = simple.words.iter().map(|word| word.literal().unwrap_or_default());
            let Some(name) = words.next() else { return };
            match &*name {
                "read" | "mapfile" | "readarray" | "local" | "declare" | "unset" | "getopts" => {
                    self.0.extend(words.filter(|word| !word.starts_with('-')).map(Cow::into_owned));
                }
                "printf" => self.0.extend(words.skip_while(|word| *word != "-v").nth(1).map(Cow::into_owned)),
                _ => {}
            }
        }
    }
    impl<'a> Visitor<'a> for Assigned {
        fn command(&mut self, command: &'a Command) {
            match &command.kind {
                CommandKind::Simple(simple) => self.simple(simple),
                CommandKind::For(node) => {
                    self.0.insert(node.variable.clone());
                }
                _ => {}
            }
        }
        fn part(&mut self, part: &'a WordPart) {
            if let PartKind::Parameter(parameter) = &part.kind
                && matches!(parameter.op, ParameterOp::Assign { .. })
            {
                self.0.insert(parameter.name.clone());
            }
        }
    }
    let mut found = Assigned(BTreeSet::new());
    visit::list(&script.body, &mut found);
    found.0
}

/// `X="${X:-y}"`: the value is still the one from outside.
fn refers_to_itself(value: &AssignValue, name: &str) -> bool {
    struct Refers<'n>(&'n str, bool);
    impl<'a> Visitor<'a> for Refers<'_> {
        fn part(&mut self, part: &'a WordPart) {
            if let PartKind::Parameter(parameter) = &part.kind {
                self.1 |= parameter.name == self.0;
            }
        }
    }
    let AssignValue::Word(word) = value else { return false };
    let mut refers = Refers(name, false);
    visit::word(word, &mut refers);
    refers.1
}

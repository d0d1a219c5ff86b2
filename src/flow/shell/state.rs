//! Variables, files, functions and streams of a running script.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Start, Unit};
use crate::flow::{Name, NodeId, Place, Value};
use crate::syntax::shell::ast;

/// Where standard output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A pipe, a command substitution, or the output of the step.
    Captured,
    /// A file, by the key that [`super::Shell::file_key`] makes.
    File(Arc<str>),
    /// A terminal, a log, stderr.
    Shown,
    /// `/dev/null`
    Nowhere,
}

/// Something written to a file.
#[derive(Clone, Debug)]
pub struct Write {
    /// The file's key: its path, or `$NAME` where the path is in a variable that is not known.
    pub file: Arc<str>,
    /// What.
    pub value: Value,
    /// By which command.
    pub place: Place,
    /// Tests that decide whether it is written.
    pub controls: Vec<NodeId>,
    /// For files of GitHub's runner: what was printed one after the other, and where.
    pub parts: Vec<(Value, Place)>,
}

#[derive(Debug)]
pub(super) struct Stream {
    pub to: Output,
    pub value: Value,
    /// See [`Write::parts`].
    pub parts: Vec<(Value, Place)>,
    /// A line break is due before whatever is printed next.
    pub line_ended: bool,
}

#[derive(Debug)]
pub(super) struct State<'a> {
    pub variables: HashMap<Arc<str>, Value>,
    pub files: HashMap<Arc<str>, Value>,
    /// Shell scripts that were written from here-documents, by their files' keys.
    pub scripts: HashMap<Arc<str>, Unit<'a>>,
    /// Arrays whose subscripts are texts (`declare -A`): those of others are arithmetic.
    pub associative: HashSet<String>,
    /// Variables whose every value is arithmetic (`declare -i`).
    pub integers: HashSet<String>,
    /// The members of arrays, where they were written out.
    pub arrays: HashMap<String, Vec<Value>>,
    /// Arrays that hold pieces of one text: `read -a`, `mapfile`, `x=( $y )`.
    pub split: HashSet<Arc<str>>,
    /// Those of them that hold the members of a list: `IFS=, read -ra`.
    pub lists: HashSet<Arc<str>>,
    /// Variables that hold one of the words of a text: `for w in $x`. `@`: the positional parameters do, after `set -- $x`.
    pub pieces: HashSet<Arc<str>>,
    /// Names that stand for other names: `declare -n`.
    pub references: HashMap<Arc<str>, Arc<str>>,
    /// What is read from open descriptors.
    pub descriptors: HashMap<u32, Value>,
    /// What coprocesses print, by their names.
    pub coprocesses: HashMap<String, Value>,
    pub functions: HashMap<&'a str, (&'a ast::Function, Unit<'a>)>,
    pub positional: Vec<Value>,
    pub stdin: Value,
    pub streams: Vec<Stream>,
    pub writes: Vec<Write>,
    /// The here-document that was read last, whole and by lines.
    pub here: (Value, Vec<Value>),
    /// What the command that runs prints to its standard error, where that is of interest.
    pub stderr: Value,
    pub errexit: bool,
    pub pipefail: bool,
    /// Truth of the last command (`$?`).
    pub last: Option<NodeId>,
    /// Truth of the commands of the last pipeline (`$PIPESTATUS`).
    pub pipe: Vec<Option<NodeId>>,
    /// Tests under which the running function returned.
    pub returns: Vec<NodeId>,
    /// Old values of what was assigned since the innermost branch began.
    undo: Vec<(Arc<str>, Option<Value>)>,
    undo_files: Vec<(Arc<str>, Option<Value>)>,
}

/// Assignments made in one branch.
#[derive(Debug, Default)]
pub(super) struct Changes {
    variables: Vec<(Arc<str>, Option<Value>)>,
    files: Vec<(Arc<str>, Option<Value>)>,
}

impl Changes {
    /// The variables that were assigned.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.variables.iter().map(|(name, _)| name)
    }

    /// Leaves out the variables that still have these values.
    pub fn forget(&mut self, kept: &[(String, Value)]) {
        self.variables
            .retain(|(name, value)| !kept.iter().any(|(known, old)| **known == **name && value.as_ref() == Some(old)));
    }
}

/// Sees the value that a name has after branches, and may put another in its place.
pub(super) type Fold<'f> = dyn FnMut(&dyn Fn() -> Name, &mut Value) + 'f;

/// Where a branch began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize, usize);

impl State<'_> {
    pub fn new(start: Start) -> Self {
        let to = if start.captured { Output::Captured } else { Output::Shown };
        Self {
            variables: HashMap::new(),
            files: HashMap::new(),
            scripts: HashMap::new(),
            associative: HashSet::new(),
            integers: HashSet::new(),
            arrays: HashMap::new(),
            split: HashSet::new(),
            lists: HashSet::new(),
            pieces: HashSet::new(),
            references: HashMap::new(),
            descriptors: HashMap::new(),
            coprocesses: HashMap::new(),
            functions: HashMap::new(),
            positional: Vec::new(),
            stdin: Value::default(),
            streams: vec![Stream { to, value: Value::literal(""), parts: Vec::new(), line_ended: false }],
            writes: Vec::new(),
            here: (Value::default(), Vec::new()),
            stderr: Value::default(),
            errexit: start.errexit,
            pipefail: start.pipefail,
            last: None,
            pipe: Vec::new(),
            returns: Vec::new(),
            undo: Vec::new(),
            undo_files: Vec::new(),
        }
    }

    pub fn set(&mut self, name: &str, value: Value) {
        let name: Arc<str> = name.into();
        let old = self.variables.insert(name.clone(), value);
        self.undo.push((name, old));
    }

    pub fn set_file(&mut self, key: Arc<str>, value: Value) {
        let old = self.files.insert(key.clone(), value);
        self.undo_files.push((key, old));
    }

    /// What is known of a variable: its text, and the number of its nodes.
    pub fn known(&self, name: &str) -> Option<(Option<Arc<str>>, usize)> {
        self.variables.get(name).map(|value| (value.literal.clone(), value.nodes.len()))
    }

    pub fn mark(&self) -> Mark {
        Mark(self.undo.len(), self.undo_files.len())
    }

    /// Takes back what was assigned since the mark, and gives the values it had at the end.
    pub fn rewind(&mut self, mark: Mark) -> Changes {
        let mut changes = Changes::default();
        for (name, old) in self.undo.drain(mark.0.min(self.undo.len())..).rev() {
            let new = match old {
                Some(old) => self.variables.insert(name.clone(), old),
                None => self.variables.remove(&name),
            };
            if !changes.variables.iter().any(|(known, _)| *known == name) {
                changes.variables.push((name, new));
            }
        }
        for (key, old) in self.undo_files.drain(mark.1.min(self.undo_files.len())..).rev() {
            let new = match old {
                Some(old) => self.files.insert(key.clone(), old),
                None => self.files.remove(&key),
            };
            if !changes.files.iter().any(|(known, _)| *known == key) {
                changes.files.push((key, new));
            }
        }
        changes
    }

    /// Leaves a subshell: its variables are gone, its files stay.
    pub fn leave(&mut self, mark: Mark) {
        for (key, value) in self.rewind(mark).files {
            match value {
                Some(value) => self.set_file(key, value),
                None => {
                    self.files.remove(&key);
                }
            }
        }
    }

    /// Joins what branches assigned into the state before them. `exhaustive`: one of the branches was taken for sure,
    /// so that a name assigned in all of them loses its old value. `fold` is shown each joined value.
    pub fn join(&mut self, branches: Vec<Changes>, exhaustive: bool, fold: &mut Fold<'_>) {
        let count = branches.len();
        let mut variables: HashMap<Arc<str>, (Value, usize)> = HashMap::new();
        let mut files: HashMap<Arc<str>, (Value, usize)> = HashMap::new();
        for branch in branches {
            merge(&mut variables, branch.variables);
            merge(&mut files, branch.files);
        }
        let mut variables: Vec<_> = variables.into_iter().collect();
        variables.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, (mut value, times)) in variables {
            if !(exhaustive && times == count) {
                value.join(&self.variables.get(&name).cloned().unwrap_or_else(|| Value::literal("")));
            }
            fold(&|| Name::Variable(name.clone()), &mut value);
            self.set(&name, value);
        }
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by(|a, b| a.0.cmp(&b.0));
        for (key, (mut value, times)) in files {
            if !(exhaustive && times == count)
                && let Some(old) = self.files.get(&key)
            {
                value.join(old);
            }
            fold(&|| Name::File(key.clone()), &mut value);
            self.set_file(key, value);
        }
    }
}

fn merge(into: &mut HashMap<Arc<str>, (Value, usize)>, changes: Vec<(Arc<str>, Option<Value>)>) {
    for (name, value) in changes {
        let value = value.unwrap_or_default();
        into.entry(name)
            .and_modify(|(known, times)| {
                known.join(&value);
                *times += 1;
            })
            .or_insert((value, 1));
    }
}

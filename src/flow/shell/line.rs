//! The command line of a simple command, evaluated.

use super::redirect::Redirected;
use crate::flow::Value;
use crate::syntax::shell::ast::Word;
use crate::text::Span;

/// An evaluated command line.
#[derive(Debug)]
pub(super) struct Line<'a, 'r> {
    /// Name and arguments after wrappers like `env` and `timeout`, with their values.
    pub words: Vec<(&'a Word, Value)>,
    /// The whole command.
    pub span: Span,
    /// Its redirections.
    pub redirected: &'r Redirected,
    /// Its output goes into a pipe.
    pub piped: bool,
    /// Values of the variables that stand before the name (`A="$x" python3 …`).
    pub environment: Value,
}

impl<'a> Line<'a, '_> {
    /// The literal text of a word.
    pub fn text(&self, at: usize) -> Option<&str> {
        self.words.get(at).and_then(|(_, value)| value.text()).map(|text| &**text)
    }

    /// The program's name without its folder.
    pub fn name(&self) -> Option<&str> {
        self.text(0).map(|text| text.rsplit('/').next().unwrap_or(text))
    }

    /// The words after the name.
    pub fn arguments(&self) -> &[(&'a Word, Value)] {
        self.words.get(1..).unwrap_or_default()
    }

    /// All nodes of the arguments.
    pub fn all(&self) -> Value {
        let mut all = Value::default();
        for (_, value) in self.arguments() {
            all.add_nodes(&value.nodes);
        }
        all
    }
}

pub(super) fn starts_with_dash(value: &Value) -> bool {
    value.text().or(value.prefix.as_ref()).is_some_and(|text| text.starts_with('-'))
}

//! Completion: keys by their place, names in every spelling, fields, verdict words, helpers, recipes, lints.

use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, ParameterInformation, ParameterLabel, Position, SignatureHelp,
    SignatureInformation, Url,
};

use super::convert::offset;
use super::hover::{function_text, method_text, script_at};
use super::worker::World;
use crate::recipe::dialects::amplihack::keys;
use crate::recipe::environment::{PREFIX, alias, environment_name};
use crate::recipe::prompt::Promise;
use crate::recipe::{Action, Dialect, File, Index, Scopes};
use crate::syntax::condition::{Function, Method};
use crate::verdict::Vocabulary;
use crate::workspace::is_configuration;

const HELPERS: &[(&str, &str)] = &[
    ("extract-json", "the object of a reply that has the field: `--require-field F`"),
    ("extract-field", "a field of an object: `--field F --default SAFE`"),
    ("normalise-verdict", "one word for a work verdict"),
    ("normalise-loop-verdict", "one word for a loop verdict"),
    ("normalise-type", "one word for a kind of task"),
];

impl World {
    /// What can be written at a position.
    pub fn completion(&mut self, uri: &Url, position: Position) -> Option<Vec<CompletionItem>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let at = offset(&file.source, position, unit);
        let line = line_before(&file.source.text, at);
        if let Some(start) =
            line.rfind("recipelint: ignore").and_then(|at| line.get(at..)?.rfind('[').map(|open| at + open))
        {
            let closed = line.get(start..).is_some_and(|rest| rest.contains(']'));
            return Some(if closed { Vec::new() } else { lints() });
        }
        if is_configuration(file.location.as_deref()?) {
            return Some(configuration_keys());
        }
        if file.dialect != Dialect::Amplihack {
            return Some(Vec::new());
        }
        Some(of_recipe(index, file, at, line))
    }

    /// The functions of a condition while their arguments are written.
    pub fn signature(&mut self, uri: &Url, position: Position) -> Option<SignatureHelp> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?;
        let at = offset(&file.source, position, unit);
        let line = line_before(&file.source.text, at);
        if !line.trim_start().trim_start_matches("- ").starts_with("condition:") {
            return None;
        }
        let open = open_parenthesis(line)?;
        let before = line.get(..open)?;
        let name: String =
            before.chars().rev().take_while(|c| c.is_alphanumeric()).collect::<Vec<_>>().into_iter().rev().collect();
        let method = before.strip_suffix(&name).is_some_and(|before| before.ends_with('.'));
        let text = if method { method_text(Method::named(&name)?) } else { function_text(Function::named(&name)?) };
        let label = text.split('`').nth(1).unwrap_or(text).to_owned();
        let parameters = label
            .split_once('(')
            .and_then(|(_, rest)| rest.split_once(')'))
            .map(|(inside, _)| {
                inside.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>()
            })
            .unwrap_or_default();
        let active = line.get(open..).map_or(0, |inside| inside.matches(',').count()) as u32;
        let parameters: Vec<ParameterInformation> = parameters
            .into_iter()
            .map(|name| ParameterInformation { label: ParameterLabel::Simple(name), documentation: None })
            .collect();
        let signature = SignatureInformation {
            label,
            documentation: Some(Documentation::String(text.to_owned())),
            parameters: Some(parameters),
            active_parameter: Some(active),
        };
        Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: Some(active) })
    }
}

fn of_recipe(index: &Index, file: &File, at: usize, line: &str) -> Vec<CompletionItem> {
    let trimmed = line.trim_start().trim_start_matches("- ");
    let in_hole = line.rfind("{{").is_some_and(|open| !line.get(open..).is_some_and(|rest| rest.contains("}}")));
    if in_hole {
        let written = line.rsplit("{{").next().unwrap_or_default();
        return names_or_fields(index, file, written, &|name| name.to_owned());
    }
    if let Some(value) = trimmed.strip_prefix("recipe:") {
        return if value.contains(char::is_alphanumeric) && value.ends_with(' ') { Vec::new() } else { recipes(index) };
    }
    if trimmed.starts_with("type:") {
        return keys::Kind::ALL
            .iter()
            .map(|(name, _)| item(name, CompletionItemKind::ENUM_MEMBER, "kind of step"))
            .collect();
    }
    if trimmed.starts_with("condition:") {
        return in_condition(index, file, line);
    }
    if script_at(file, at).is_some() || trimmed.starts_with("command:") {
        return in_script(index, file, line);
    }
    if !trimmed.contains(':') {
        let known = match around(&file.source.text, at) {
            Around::Top => keys::TOP,
            Around::Step => keys::STEP,
            Around::Other => return Vec::new(),
        };
        return known
            .iter()
            .map(|key| CompletionItem {
                insert_text: Some(format!("{}: ", key.name)),
                ..item(key.name, CompletionItemKind::PROPERTY, key.about)
            })
            .collect();
    }
    Vec::new()
}

/// Which keys a line may hold.
enum Around {
    Top,
    Step,
    /// Those of another mapping, or none: a text.
    Other,
}

/// What a line stands in, by the indentation of those above it: half-typed text has no tree to ask.
fn around(text: &str, at: usize) -> Around {
    let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut above = text.get(..at).unwrap_or_default().rsplit('\n');
    let line = above.next().unwrap_or_default();
    let is_item = |line: &str| line.trim_start().starts_with("- ") || line.trim_end() == "-";
    let (mut indent, mut in_item) = (indent_of(line), is_item(line));
    if indent == 0 && !in_item {
        return Around::Top;
    }
    for line in above.map(|line| line.trim_end_matches('\r')) {
        let (own, item) = (indent_of(line), is_item(line));
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') || own > indent || (own == indent && (item || !in_item)) {
            continue;
        }
        let header = words.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
        if header.ends_with(": |") || header.ends_with(": >") {
            return Around::Other;
        }
        if item {
            (indent, in_item) = (own, true);
        } else if in_item && own == 0 && words.starts_with("steps:") {
            return Around::Step;
        } else {
            return Around::Other;
        }
    }
    Around::Other
}

fn in_condition(index: &Index, file: &File, line: &str) -> Vec<CompletionItem> {
    let quotes = line.matches('\'').count();
    if quotes % 2 == 1 {
        return verdict_words();
    }
    let written: String = line
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let mut items = names_or_fields(index, file, &written, &|name| name.to_owned());
    if written.contains('.') {
        items.extend(
            Method::ALL.iter().map(|method| item(method.name(), CompletionItemKind::METHOD, method_text(*method))),
        );
    } else {
        items.extend(
            Function::ALL
                .iter()
                .map(|function| item(function.name(), CompletionItemKind::FUNCTION, function_text(*function))),
        );
        for word in ["and", "or", "not", "in", "true", "false"] {
            items.push(item(word, CompletionItemKind::KEYWORD, "of the condition language"));
        }
    }
    items
}

fn in_script(index: &Index, file: &File, line: &str) -> Vec<CompletionItem> {
    let word: &str = line.rsplit([' ', '"', '\'', '(', '|', '=']).next().unwrap_or_default();
    if word.starts_with('$') {
        let mut items = Vec::new();
        for name in Scopes::new(index).known(file) {
            let long = format!("{PREFIX}{}", environment_name(&name));
            items.push(item(&long, CompletionItemKind::VARIABLE, "the variable, whatever it holds"));
            if let Some(alias) = alias(&name) {
                items.push(item(&alias, CompletionItemKind::VARIABLE, "only for texts, numbers and booleans"));
            }
        }
        return items;
    }
    let before = line.trim_end_matches(|c: char| c.is_alphanumeric() || c == '-').trim_end();
    if before.ends_with("orch helper") {
        return HELPERS.iter().map(|(name, about)| item(name, CompletionItemKind::FUNCTION, about)).collect();
    }
    if word.starts_with('-') {
        let flags: &[(&str, &str)] = if line.contains("extract-json") && !line.contains("extract-field") {
            &[("--require-field", "the last object that has this field")]
        } else if line.contains("extract-field") {
            &[("--field", "the field"), ("--default", "what stands for a missing field: the side that stops or asks")]
        } else {
            &[]
        };
        return flags.iter().map(|(name, about)| item(name, CompletionItemKind::PROPERTY, about)).collect();
    }
    if before.ends_with("--default")
        || before.ends_with("==")
        || before.ends_with('=')
        || line.trim_start().starts_with("case ")
    {
        return verdict_words();
    }
    vec![pipeline()]
}

/// The whole canonical pipeline, to be filled in.
fn pipeline() -> CompletionItem {
    let text = "VERDICT=$(printf '%s' \"$RAW\" \\\n  | amplihack orch helper extract-json --require-field verdict \\\n  | amplihack orch helper extract-field --field verdict --default INSUFFICIENT_EVIDENCE \\\n  | amplihack orch helper normalise-verdict)";
    CompletionItem {
        insert_text: Some(text.to_owned()),
        ..item("verdict pipeline", CompletionItemKind::SNIPPET, "reads a verdict the safe way")
    }
}

/// Names of the context, or the fields that a prompt promises behind `name.`.
fn names_or_fields(index: &Index, file: &File, written: &str, spell: &dyn Fn(&str) -> String) -> Vec<CompletionItem> {
    if let Some((name, _)) = written.rsplit_once('.') {
        let producer =
            file.recipe.steps.iter().find(|step| step.output.as_ref().is_some_and(|output| output.name.value == name));
        let prompt = producer.and_then(|step| match &step.action {
            Action::Agent(call) => call.prompt.as_ref(),
            _ => None,
        });
        let Some(text) = prompt.map(|prompt| &prompt.text) else { return Vec::new() };
        let keys = fields_of(text.text());
        return keys.iter().map(|key| item(key, CompletionItemKind::FIELD, "the prompt asks for it")).collect();
    }
    Scopes::new(index)
        .known(file)
        .iter()
        .map(|name| item(&spell(name), CompletionItemKind::VARIABLE, "of the context"))
        .collect()
}

/// The fields that a prompt asks for: the keys of its examples; without an example, the words that it quotes.
pub fn fields_of(prompt: &str) -> Vec<String> {
    let promise = Promise::read(prompt);
    let mut keys = promise.keys();
    let is_key = |key: &&str| {
        prompt
            .match_indices(&format!("\"{key}\""))
            .any(|(at, found)| prompt.get(at + found.len()..).is_some_and(|rest| rest.trim_start().starts_with(':')))
    };
    if keys.iter().any(is_key) {
        keys.retain(|key| is_key(key));
    }
    keys.into_iter().map(str::to_owned).collect()
}

fn recipes(index: &Index) -> Vec<CompletionItem> {
    index.stems().keys().map(|stem| item(stem, CompletionItemKind::MODULE, "a recipe of this workspace")).collect()
}

fn verdict_words() -> Vec<CompletionItem> {
    let both = [Vocabulary::work(), Vocabulary::of_loop()];
    both.iter()
        .flat_map(|vocabulary| {
            vocabulary
                .outcomes
                .iter()
                .map(|outcome| item(&outcome.canonical, CompletionItemKind::ENUM_MEMBER, &vocabulary.name))
        })
        .collect()
}

fn lints() -> Vec<CompletionItem> {
    crate::lints::lints().iter().map(|lint| item(lint.id, CompletionItemKind::VALUE, lint.summary)).collect()
}

/// Keys of the configuration, from its schema.
fn configuration_keys() -> Vec<CompletionItem> {
    let schema = crate::workspace::config::schema();
    let Some(properties) = schema.get("properties").and_then(|properties| properties.as_object()) else {
        return Vec::new();
    };
    properties
        .iter()
        .map(|(name, property)| {
            let about = property.get("description").and_then(|about| about.as_str()).unwrap_or_default();
            CompletionItem { insert_text: Some(format!("{name}: ")), ..item(name, CompletionItemKind::PROPERTY, about) }
        })
        .chain(lints())
        .collect()
}

fn item(label: &str, kind: CompletionItemKind, about: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(about.to_owned()),
        ..CompletionItem::default()
    }
}

fn line_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    before.rsplit(['\n', '\r']).next().unwrap_or_default()
}

/// Where the innermost parenthesis opens that is not closed.
fn open_parenthesis(line: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in line.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

//! Calls: functions of the file, of known packages, and of the language's own library.

use std::rc::Rc;
use std::sync::Arc;

use super::Machine;
use super::expressions::keys_of;
use super::item::{Item, Library, Shape};
use super::statements::property;
use crate::flow::{Execution, JsonTool, Name, NodeKind, Pass, Trust, Value};
use crate::recipe::dialects::program::{Api, Package};
use crate::syntax::typescript::{Element, Expression, ExpressionKind};
use crate::text::Span;

/// Calls whose arguments are shown to people.
const SHOWN: &[&str] = &[
    "createComment",
    "updateComment",
    "createReviewComment",
    "createCommitComment",
    "createReplyForReviewComment",
    "setFailed",
    "info",
    "warning",
    "error",
    "debug",
    "notice",
    "log",
    "warn",
    "addRaw",
    "appendFileSync",
];

/// Functions that make a text one word of a shell, by their names: `shellEscape`, `shellQuote`, `shescape.quote`.
fn quotes_for_shell(callee: &Expression) -> bool {
    let path = callee.path().unwrap_or_default();
    let name = path.join(".").to_ascii_lowercase();
    let quotes = name.contains("quote") || name.contains("escape");
    quotes && ["shell", "shescape", "arg", "bash"].iter().any(|word| name.contains(word))
        || name == "quote"
        || name == "shq"
}

/// Functions that write a file: its path, then its text.
fn is_writer(path: &str) -> bool {
    ["writeFileSync", "appendFileSync", "writeFile", "appendFile"].iter().any(|name| path.ends_with(name))
}

/// Methods of lists and promises, whatever they are called on.
const LISTED: &[&str] = &[
    "includes", "has", "map", "flatMap", "filter", "find", "some", "every", "forEach", "reduce", "then", "finally",
    "catch",
];

impl<'a> Machine<'a, '_> {
    pub(super) fn call(
        &mut self,
        callee: &'a Expression,
        arguments: &'a [Element],
        constructs: bool,
        span: Span,
    ) -> Item<'a> {
        if quotes_for_shell(callee) {
            self.arguments(arguments);
            return Item::default();
        }
        if let Some(api) = self.apis.of(callee) {
            return self.library(&api, arguments, span);
        }
        if let ExpressionKind::Member { object, property } = &callee.kind {
            let receiver = self.expression(object);
            // A list or a promise that the program finds around it.
            let listed = LISTED.contains(&property.value.as_str());
            if listed || !matches!(receiver.shape, Shape::Global(_)) {
                return self.method(&receiver, object, &property.value, arguments, span);
            }
        }
        let function = self.expression(callee);
        match function.shape {
            Shape::Function(function) if !constructs => {
                let items = self.arguments(arguments);
                self.invoke(function, &items)
            }
            Shape::Global(path) => self.global_call(&path, callee, arguments, span),
            _ => {
                let items = self.arguments(arguments);
                self.acted(callee, &items, span);
                Item::default()
            }
        }
    }

    pub(super) fn arguments(&mut self, arguments: &'a [Element]) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        for argument in arguments {
            let item = self.expression(&argument.value);
            match &item.shape {
                Shape::List(inner) if argument.spread => items.extend(inner.iter().cloned()),
                _ if argument.spread => items.push(item.element()),
                _ => items.push(item),
            }
        }
        items
    }

    /// A function that is called with an element of a list.
    pub(super) fn callback(&mut self, function: &Item<'a>, arguments: &[Item<'a>]) -> Item<'a> {
        match &function.shape {
            Shape::Function(function) => self.invoke(function, arguments),
            Shape::Global(path) => {
                let path = Rc::clone(path);
                let first = arguments.first().cloned().unwrap_or_default();
                match path.as_ref() {
                    "Boolean" => first,
                    "String" | "Number" | "parseInt" | "parseFloat" => first.with(Shape::Plain),
                    "JSON.parse" => self.json(&first, Span::at(0)),
                    _ => Item::default(),
                }
            }
            _ => Item::default(),
        }
    }

    /// Functions of packages that run agents.
    fn library(&mut self, api: &Api, arguments: &'a [Element], span: Span) -> Item<'a> {
        self.arguments(arguments);
        if self.answers_with_text(arguments) {
            self.texts.insert(span);
        }
        let name = api.path.last().map(String::as_str).unwrap_or_default();
        match (api.package, name) {
            (Package::Sandcastle, "run") => Item::shaped(Shape::Run(Library::Sandcastle, span)),
            (Package::Sandcastle, "createSandbox" | "createWorktree") => Item::shaped(Shape::Host(Library::Sandcastle)),
            (Package::Outpost, "dispatch") => Item::shaped(Shape::Run(Library::Outpost, span)),
            (Package::Outpost, name) if name.starts_with("create") || name.starts_with("open") => {
                Item::shaped(Shape::Host(Library::Outpost))
            }
            _ => Item::default(),
        }
    }

    /// Whether the contract of a run is a text: `output: Output.string(…)`, `response: defineTextResponse(…)`.
    fn answers_with_text(&self, arguments: &'a [Element]) -> bool {
        let Some(ExpressionKind::Object(properties)) = arguments.first().map(|options| &options.value.kind) else {
            return false;
        };
        let contract = property(properties, "output").or_else(|| property(properties, "response"));
        contract.and_then(|contract| self.apis.called(self.apis.fold.resolve(contract))).is_some_and(|api| {
            api.is(Package::Sandcastle, &["Output", "string"]) || api.is(Package::Outpost, &["defineTextResponse"])
        })
    }

    /// Methods that make agents run.
    pub(super) fn runs(&self, receiver: &Item<'a>, name: &str, arguments: &'a [Element]) -> Option<Library> {
        match (&receiver.shape, name) {
            (Shape::Host(Library::Sandcastle), "run") => Some(Library::Sandcastle),
            (Shape::Host(Library::Outpost), "dispatch") => Some(Library::Outpost),
            (Shape::Run(library, _), "resume" | "fork") => Some(*library),
            (_, "dispatch") => {
                let ExpressionKind::Object(properties) = &arguments.first()?.value.kind else { return None };
                property(properties, "brief").map(|_| Library::Outpost)
            }
            _ => None,
        }
    }

    /// A call of something that the program finds around it.
    fn global_call(&mut self, path: &str, callee: &'a Expression, arguments: &'a [Element], span: Span) -> Item<'a> {
        let items = self.arguments(arguments);
        let first = items.first().cloned().unwrap_or_default();
        match path {
            "JSON.parse" => self.json(&first, span),
            "JSON.stringify" | "String" | "Number" | "parseInt" | "parseFloat" | "Number.parseInt"
            | "Number.parseFloat" | "structuredClone" => {
                Item::text(Value { literal: first.value.literal.clone(), ..first.whole() })
            }
            "Boolean" => Item::truth(self.truth_of(&first, span)),
            "Array.from" | "Promise.all" | "Promise.race" | "Promise.resolve" | "Object.freeze" | "Array.of" => {
                match (path, items.get(1)) {
                    ("Array.from", Some(map)) => {
                        let element = self.each_of(&first);
                        let each = self.callback(map, &[element]);
                        Item::shaped(Shape::Each(Rc::new(each)))
                    }
                    _ => first,
                }
            }
            "Set" | "Map" => first,
            "Promise.allSettled" => {
                let each = Item::object(vec![("value".to_owned(), first.element())], None);
                Item::shaped(Shape::Each(Rc::new(each)))
            }
            "Object.values" | "Object.entries" => match &first.shape {
                Shape::Object(members) => {
                    let mut items = members.entries.iter().map(|(_, item)| item);
                    let mut each = items.next().cloned().unwrap_or_default();
                    for item in items {
                        each.join(item);
                    }
                    Item::shaped(Shape::Each(Rc::new(each)))
                }
                _ => first,
            },
            "Object.keys" => keys_of(&first),
            "Object.assign" => {
                let mut joined = first;
                for item in items.iter().skip(1) {
                    joined.join(item);
                }
                joined
            }
            "Object.hasOwn" => {
                let keys = keys_of(&first);
                let wanted = items.get(1).cloned().unwrap_or_default();
                self.is_member(&keys, &wanted, span)
            }
            "Array.isArray" | "Number.isInteger" | "Number.isNaN" | "isNaN" | "Number.isFinite" => Item::default(),
            "require" => match first.value.text() {
                Some(module) => {
                    let module = module.trim_start_matches("node:").trim_start_matches("@actions/").to_owned();
                    Item::shaped(Shape::Global(module.into()))
                }
                None => Item::default(),
            },
            "eval" | "Function" | "vm.runInThisContext" | "vm.runInNewContext" | "vm.Script" => {
                self.executed(&items, Execution::JavaScript, arguments);
                Item::default()
            }
            "execSync" | "exec" | "child_process.execSync" | "child_process.exec" | "cp.execSync" => {
                self.executed(&items[..items.len().min(1)], Execution::Program("sh".into()), arguments);
                Item::default()
            }
            _ if is_writer(path) => {
                let file = arguments.first().and_then(|argument| argument.value.path());
                let runner = match file.as_deref() {
                    Some(["process", "env", name @ ("GITHUB_OUTPUT" | "GITHUB_ENV")]) => Some(*name),
                    _ => None,
                };
                if let (Some(name), Some(text)) = (runner, items.get(1)) {
                    let place = self.place(span);
                    let value = Value { prefix: text.value.prefix.clone(), ..text.whole() };
                    self.outcome.written.push((format!("${name}").into(), value, place));
                } else {
                    self.acted(callee, &items, span);
                    self.written(&items, path.contains("append"), span);
                }
                Item::default()
            }
            _ if path.ends_with("readFileSync") || path.ends_with("readFile") => {
                let content = first.value.literal.clone().and_then(|path| {
                    let place = self.place(span);
                    let own = self.outcome.files.get(path.trim_start_matches("./")).cloned();
                    own.or_else(|| self.world.environment.variable(self.builder, &format!("file:{path}"), place))
                });
                Item::text(content.unwrap_or_else(|| Value { literal: None, ..first.whole() }))
            }
            _ if path.ends_with("core.setOutput") => {
                self.left_behind(&items, span, false);
                Item::default()
            }
            _ if path.ends_with("core.exportVariable") => {
                self.left_behind(&items, span, true);
                Item::default()
            }
            _ => {
                self.acted(callee, &items, span);
                Item::default()
            }
        }
    }

    /// `fs.writeFileSync("a.txt", text)`. What a test chooses may leave what was there before.
    fn written(&mut self, items: &[Item<'a>], appends: bool, span: Span) {
        let [path, content, ..] = items else { return };
        let Some(path) = path.value.text().map(|path| Arc::<str>::from(path.trim_start_matches("./"))) else { return };
        let place = self.place(span);
        let mut value = self.chosen(&path, place, Item::text(content.whole())).value;
        if value.is_plain() && !self.outcome.files.contains_key(&path) {
            return;
        }
        if !value.is_plain() {
            value = self.builder.name(Name::File(Arc::clone(&path)), place, value);
        }
        match self.outcome.files.get_mut(&path) {
            Some(old) if appends || !self.builder.controls.is_empty() => old.join(&value),
            _ => {
                self.outcome.files.insert(path, value);
            }
        }
    }

    fn left_behind(&mut self, items: &[Item<'a>], span: Span, variable: bool) {
        let Some(name) = items.first().and_then(|item| item.value.text().cloned()) else { return };
        let place = self.place(span);
        let item = items.get(1).cloned().unwrap_or_default();
        let value = self.chosen(&name, place, Item::text(item.whole())).value;
        let entry = (Arc::clone(&name), value, place);
        if variable {
            self.outcome.variables.push(entry);
        } else {
            self.outcome.outputs.push(entry);
        }
    }

    /// `JSON.parse(text)`
    pub(super) fn json(&mut self, text: &Item<'a>, span: Span) -> Item<'a> {
        let value = text.whole();
        let trust = self.builder.trust(&value);
        if trust < Trust::Extracted {
            return Item::text(value);
        }
        if trust == Trust::Extracted || self.is_envelope(&value) {
            return Item { value, shape: Shape::Parsed };
        }
        let place = self.place(span);
        let kind = match text.shape {
            // From the last brace on, step by step to the left: the last object that parses, as the contract has it.
            Shape::Tail => NodeKind::ExtractJson { require: Some(None) },
            _ => NodeKind::Json(Box::new(JsonTool { tool: "JSON.parse".into(), fields: Vec::new() })),
        };
        Item::node(self.builder.with_trust(kind, place, &value, Trust::Extracted)).with(Shape::Parsed)
    }

    fn executed(&mut self, items: &[Item<'a>], execution: Execution, arguments: &'a [Element]) {
        for (item, argument) in items.iter().zip(arguments) {
            let value = item.whole();
            if self.builder.trust(&value) >= Trust::Extracted {
                self.on(NodeKind::Execute(execution.clone()), argument.value.span, &value);
            }
        }
    }

    /// A call of something unknown that is given what is followed here.
    pub(super) fn acted(&mut self, callee: &'a Expression, items: &[Item<'a>], span: Span) {
        // Functions that are handed over are called some time.
        for item in items {
            if let Shape::Function(function) = item.shape {
                self.invoke(function, &[]);
            }
        }
        let mut value = Value::default();
        for item in items {
            value.add_nodes(&item.nodes());
        }
        if value.is_plain() {
            return;
        }
        let path = callee.path().unwrap_or_default();
        let name = match &callee.kind {
            ExpressionKind::Member { property, .. } => property.value.as_str(),
            _ => path.last().copied().unwrap_or_default(),
        };
        let shown = SHOWN.contains(&name) || matches!(path.first(), Some(&"console" | &"logger" | &"log"));
        let kind = if shown { NodeKind::Show } else { NodeKind::Act { program: name.into() } };
        self.on(kind, span, &value);
    }

    /// The same text in other letters.
    pub(super) fn same(&mut self, receiver: &Item<'a>, pass: Pass, span: Span) -> Item<'a> {
        if receiver.value.is_plain() {
            return receiver.clone();
        }
        let id = self.on(NodeKind::Pass(pass), span, &receiver.value);
        let shape = if matches!(receiver.shape, Shape::Tail) { Shape::Tail } else { Shape::Plain };
        Item::node(id).with(shape)
    }
}

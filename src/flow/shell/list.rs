//! Lists, pipelines and compound commands.

use super::channels::reader;
use super::checks::{checks_before, checks_in_condition};
use super::redirect::Redirected;
use super::shape::{assigns_literal, plain_text, sole};
use super::state::{Changes, Stream};
use super::{DEEPEST_LOOPS, DEEPEST_NESTING, MOST_COMMANDS, Outcome, Output, Shell, Status};
use crate::flow::{Decision, DecisionForm, Effect, Input, Logic, NodeId, NodeKind, Role, Value};
use crate::syntax::shell::ast::{AndOr, AndOrOp, Command, CommandKind, For, If, List, Pipeline, While};
use crate::text::Span;

/// Files that GitHub's runner reads after a step are named by variables that begin so.
const RUNNER_FILES: &str = "$GITHUB_";

impl<'a> Shell<'a, '_> {
    pub(super) fn run_whole(&mut self, body: &'a List) {
        let status = self.list(body, true);
        if self.start.status_decides
            && let Some(node) = status.node
        {
            let stops = Effect { stops: true, ..Effect::default() };
            let span = body.items.last().map_or(body.span, |item| item.span);
            self.decide(node, span, DecisionForm::Exit, Effect::default(), stops);
        }
    }

    pub(super) fn finish(mut self) -> Outcome {
        let stdout = self.state.streams.pop().map(|stream| stream.value).unwrap_or_default();
        let scripts = self.state.scripts.into_iter().map(|(key, unit)| (key, unit.whole())).collect();
        Outcome { stdout, writes: self.state.writes, files: self.state.files, scripts }
    }

    /// Runs a list. `statements`: failures of its items count for `set -e`.
    pub(super) fn list(&mut self, list: &'a List, statements: bool) -> Status {
        if self.nesting >= DEEPEST_NESTING {
            return Status::default();
        }
        self.nesting += 1;
        let outer = self.after;
        let mut behind = Vec::with_capacity(list.items.len());
        let mut effect = outer;
        for item in list.items.iter().rev() {
            behind.push(effect);
            effect = self.effect_of_and_or(item).then(effect);
        }
        let mut status = Status::default();
        for (at, item) in list.items.iter().enumerate() {
            self.after = behind.get(list.items.len() - 1 - at).copied().unwrap_or(outer);
            let last = at + 1 == list.items.len();
            status = self.and_or(item, statements && !last);
            if status.exits {
                break;
            }
        }
        self.after = outer;
        self.nesting -= 1;
        status
    }

    fn and_or(&mut self, item: &'a AndOr, statement: bool) -> Status {
        let mut status = self.pipeline(&item.first);
        if item.rest.is_empty() {
            if statement
                && self.state.errexit
                && let Some(node) = status.node
                && !item.first.negated
            {
                let stops = Effect { stops: true, ..Effect::default() };
                self.decide(node, item.first.span, DecisionForm::Exit, Effect::default(), stops);
            }
            return status;
        }
        self.note_choice_of_and_or(item);
        for (at, (op, pipeline)) in item.rest.iter().enumerate() {
            let effect = self.effect_of_pipeline(pipeline);
            let other = item
                .rest
                .iter()
                .skip(at + 1)
                .find(|(next, _)| next != op)
                .map(|(_, pipeline)| self.effect_of_pipeline(pipeline))
                .unwrap_or_default();
            if let Some(node) = status.node {
                let (yes, no) = if *op == AndOrOp::And { (effect, other) } else { (other, effect) };
                self.decide(node, item.first.span, DecisionForm::AndOr, yes, no);
            }
            let before = self.fallback_start(*op, item, at);
            let missing = self.missing_value(*op, item, at);
            let checked = if *op == AndOrOp::And { checks_before(item, at) } else { Vec::new() };
            let (next, changes) = self.with_checked(&checked, pipeline.span, |shell| {
                shell.under(status.node, |shell| match at {
                    0 => shell.where_absent(&item.first, *op == AndOrOp::And, |shell| shell.pipeline(pipeline)),
                    _ => shell.pipeline(pipeline),
                })
            });
            let guarded = self.guards_validation(item, at, next.exits || effect.stops);
            if !next.exits {
                self.join(vec![changes], false, pipeline.span);
            }
            if let Some(before) = before {
                self.fallback_end(before, pipeline, status.node.is_some());
            }
            if let Some((assignment, before)) = missing {
                self.stands_in(assignment, &before);
            }
            if let Some(name) = guarded {
                self.validated(&name, pipeline.span);
            }
            if *op == AndOrOp::Or && always_succeeds(pipeline) {
                // `grep … || true` succeeds in any case.
                status = Status::default();
                continue;
            }
            let logic = if *op == AndOrOp::And { Logic::And } else { Logic::Or };
            status = Status::of(self.both(logic, status.node, next.node, item.span));
        }
        status
    }

    /// Runs something under a test.
    pub(super) fn under<T>(&mut self, test: Option<NodeId>, run: impl FnOnce(&mut Self) -> T) -> T {
        let pushed = test.is_some_and(|node| self.builder.enter(node));
        let result = run(self);
        if pushed {
            self.builder.controls.pop();
        }
        result
    }

    /// Joins what branches assigned into the state before them, see [`super::state::State::join`].
    pub(super) fn join(&mut self, branches: Vec<Changes>, exhaustive: bool, span: Span) {
        let place = self.unit.place(span);
        let builder = &mut *self.builder;
        self.state.join(branches, exhaustive, &mut |name, value| builder.fold(name, place, value));
    }

    /// The conjunction or disjunction of two truth values.
    pub(super) fn both(&mut self, logic: Logic, a: Option<NodeId>, b: Option<NodeId>, span: Span) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let inputs = [a, b].map(|from| Input { from, role: Role::Data }).to_vec();
                Some(self.builder.graph.add(NodeKind::Logic(logic), self.unit.place(span), inputs, None))
            }
            (a, b) => a.or(b),
        }
    }

    fn not(&mut self, node: NodeId, span: Span) -> NodeId {
        let inputs = vec![Input { from: node, role: Role::Data }];
        self.builder.graph.add(NodeKind::Logic(Logic::Not), self.unit.place(span), inputs, None)
    }

    /// A decision on a node, unless both branches only print.
    pub(super) fn decide(&mut self, node: NodeId, span: Span, form: DecisionForm, yes: Effect, no: Effect) {
        let moves = |effect: Effect| effect.stops || effect.passes || effect.acts;
        if moves(yes) || moves(no) {
            let decision = Decision { form, when_true: yes, when_false: no };
            let inputs = vec![Input { from: node, role: Role::Data }];
            self.builder.graph.add(NodeKind::Decide(decision), self.unit.place(span), inputs, None);
        }
    }

    pub(super) fn pipeline(&mut self, pipeline: &'a Pipeline) -> Status {
        let stdin = self.state.stdin.clone();
        let count = pipeline.commands.len();
        let mut statuses = Vec::new();
        let mut pipe = Vec::with_capacity(count);
        let mut status = Status::default();
        for (at, command) in pipeline.commands.iter().enumerate() {
            let merged = pipeline.stderr_too.get(at).copied().unwrap_or(false).then_some(command.span);
            if at + 1 < count {
                self.push_stream(Output::Captured);
                status = self.command(command, merged, true);
                status.exits = false;
                self.state.stdin = self.pop_stream();
            } else {
                status = self.command(command, merged, false);
                if count > 1 {
                    status.exits = false;
                }
            }
            statuses.extend(status.node);
            pipe.push(status.node);
        }
        self.state.pipe = pipe;
        self.state.stdin = stdin;
        if self.state.pipefail
            && let Some((first, rest)) = statuses.split_first()
        {
            let mut all = Some(*first);
            for next in rest {
                all = self.both(Logic::And, all, Some(*next), pipeline.span);
            }
            status.node = all;
        }
        if pipeline.negated {
            status.node = status.node.map(|node| self.not(node, pipeline.span));
        }
        self.state.last = status.node;
        status
    }

    pub(super) fn push_stream(&mut self, to: Output) {
        self.state.streams.push(Stream { to, value: Value::literal(""), parts: Vec::new(), line_ended: false });
    }

    pub(super) fn pop_stream(&mut self) -> Value {
        self.state.streams.pop().map(|stream| stream.value).unwrap_or_default()
    }

    /// Whether what is printed now goes into a pipe, a substitution or the step's output.
    pub(super) fn captured(&self) -> bool {
        self.state.streams.last().is_some_and(|stream| stream.to == Output::Captured)
    }

    /// Whether what is printed now goes into a file that the runner reads after the step.
    pub(super) fn prints_to_runner(&self) -> bool {
        let to = self.state.streams.last().map(|stream| &stream.to);
        matches!(to, Some(Output::File(key)) if key.starts_with(RUNNER_FILES))
    }

    /// Prints a value to the standard output.
    pub(super) fn print(&mut self, value: Value, span: Span) {
        let value = if self.captured() { self.for_absent(value, None, span) } else { value };
        let place = self.unit.place(span);
        let Some(to) = self.state.streams.last().map(|stream| stream.to.clone()) else { return };
        match to {
            Output::Captured | Output::File(_) => {
                let value = self.builder.printed(place, value);
                if let Some(stream) = self.state.streams.last_mut() {
                    if std::mem::take(&mut stream.line_ended) {
                        stream.value.append(&Value::literal("\n"));
                    }
                    if matches!(&to, Output::File(key) if key.starts_with(RUNNER_FILES)) {
                        stream.parts.push((value.clone(), place));
                    }
                    stream.value.append(&value);
                }
            }
            Output::Shown => {
                if !value.is_plain() {
                    self.builder.on(NodeKind::Show, place, &value);
                }
            }
            Output::Nowhere => {}
        }
    }

    /// Runs one command with its redirections. `piped`: its output goes into a pipe.
    pub(super) fn command(&mut self, command: &'a Command, merged: Option<Span>, piped: bool) -> Status {
        self.commands += 1;
        if self.nesting >= DEEPEST_NESTING {
            return Status::default();
        }
        if self.commands > MOST_COMMANDS || self.builder.exhausted() {
            self.builder.graph.give_up(self.unit.place(command.span));
            return Status::default();
        }
        self.nesting += 1;
        let mut redirected = self.redirections(&command.redirects);
        redirected.merged = redirected.merged.or(merged);
        if let Some(content) = &redirected.stdin
            && let CommandKind::Simple(simple) = &command.kind
            && simple.words.is_empty()
            && simple.assignments.is_empty()
            && self.captured()
        {
            // `$(< file)`
            self.print(content.clone(), command.span);
        }
        let stdin = redirected.stdin.take().map(|value| std::mem::replace(&mut self.state.stdin, value));
        let stdout = redirected.stdout.take();
        if let (Some((Output::File(key), _)), Some(span)) = (&stdout, redirected.document) {
            self.keep_script(key.clone(), span);
        }
        if let Some((to, _)) = &stdout {
            self.push_stream(to.clone());
        }
        self.state.stderr = Value::default();
        let status = self.kind(command, &redirected, piped);
        if let Some((to, append)) = stdout
            && let Some(stream) = self.state.streams.pop()
        {
            match reader(&command.redirects) {
                Some(body) => self.read_by(body, stream.value),
                None => self.written(to, append, stream, command.span),
            }
        }
        if let Some(key) = redirected.stderr {
            let errors = std::mem::take(&mut self.state.stderr);
            self.state.set_file(key, errors);
        }
        if let Some(stdin) = stdin {
            self.state.stdin = stdin;
        }
        self.nesting -= 1;
        status
    }

    fn kind(&mut self, command: &'a Command, redirected: &Redirected, piped: bool) -> Status {
        match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple, command.span, redirected, piped),
            CommandKind::If(branches) => self.if_command(branches, command.span),
            CommandKind::While(body) => self.while_command(body),
            CommandKind::For(body) => self.for_command(body),
            CommandKind::ArithmeticFor(body) => {
                self.arithmetic(&body.header);
                self.twice(&body.body, None);
                Status::default()
            }
            CommandKind::Case(case) => self.case_command(case, command.span),
            CommandKind::Subshell(list) => {
                let mark = self.state.mark();
                let status = self.list(list, true);
                self.state.leave(mark);
                Status { exits: false, ..status }
            }
            CommandKind::Group(list) => self.list(list, true),
            CommandKind::Arithmetic(word) => Status::of(self.arithmetic(word)),
            CommandKind::Test(test) => Status::of(self.test_expression(test)),
            CommandKind::Function(function) => {
                self.state.functions.insert(&function.name, (function, self.unit));
                Status::default()
            }
            CommandKind::Coproc(inner) => {
                self.coprocess(command, inner);
                Status::default()
            }
            CommandKind::Unreadable => Status::default(),
        }
    }

    fn if_command(&mut self, branches: &'a If, span: Span) -> Status {
        let choice = self.choice_of_if(branches);
        let rests = self.effects_of_rests(branches);
        let mut changes = Vec::new();
        let mut exits = true;
        let mut tests = 0;
        let mut guard = None;
        let mut result: Option<NodeId> = None;
        let mark_all = self.builder.controls.len();
        for (at, (condition, body)) in branches.branches.iter().enumerate() {
            let status = self.list(condition, false);
            let yes = self.effect_of_list(body);
            let no = rests.get(at).copied().unwrap_or_default();
            if let Some(node) = status.node {
                self.decide(node, condition.span, DecisionForm::If, yes, no);
                tests += 1;
                result = result.or(Some(node));
                self.builder.enter(node);
            }
            let (ended, changed) =
                self.with_checked(&checks_in_condition(condition), condition.span, |shell| match sole(condition) {
                    Some(test) => shell.where_absent(test, true, |shell| shell.list(body, true)),
                    None => shell.list(body, true),
                });
            self.empty_fallback(condition, body, &changed);
            let unless = self.validated_unless(condition);
            guard = guard.or(unless.filter(|name| ended.exits || assigns_literal(body, name)));
            if !ended.exits {
                changes.push(changed);
                exits = false;
            }
        }
        let exhaustive = branches.otherwise.is_some();
        if let Some(otherwise) = &branches.otherwise {
            let mark = self.state.mark();
            let test = match branches.branches.as_slice() {
                [(condition, _)] => sole(condition),
                _ => None,
            };
            let ended = match test {
                Some(test) => self.where_absent(test, false, |shell| shell.list(otherwise, true)),
                None => self.list(otherwise, true),
            };
            let changed = self.state.rewind(mark);
            if let [(condition, _)] = branches.branches.as_slice() {
                let checked = self.validated_if(condition);
                guard = guard.or(checked.filter(|name| ended.exits || assigns_literal(otherwise, name)));
            }
            if !ended.exits {
                changes.push(changed);
                exits = false;
            }
        } else {
            exits = false;
        }
        self.builder.controls.truncate(mark_all);
        if let ([(condition, _)], false) = (branches.branches.as_slice(), exhaustive)
            && let [changed] = changes.as_slice()
        {
            self.preset(condition, changed);
        }
        self.join(changes, exhaustive, span);
        if let Some(name) = guard {
            self.validated(&name, span);
        }
        if let Some(choice) = choice {
            self.add_choice(choice, span);
        }
        // The status is the last command's of the branch that ran, and success where none did.
        let mut fails = branches.otherwise.as_ref().is_some_and(|list| self.effect_of_list(list).stops);
        fails = fails || branches.branches.iter().any(|(_, body)| self.effect_of_list(body).stops);
        Status { node: result.filter(|_| tests > 0 && fails), exits }
    }

    fn while_command(&mut self, body: &'a While) -> Status {
        let status = self.list(&body.condition, false);
        if let Some(node) = status.node {
            let acts = self.effect_of_list(&body.body);
            let (yes, no) = if body.until { (self.after, acts) } else { (acts, self.after) };
            self.decide(node, body.condition.span, DecisionForm::While, yes, no);
        }
        self.twice(&body.body, status.node);
        Status::default()
    }

    /// Runs a loop's body until nothing new comes out of it, at most twice; deep inside of others once.
    pub(super) fn twice(&mut self, body: &'a List, test: Option<NodeId>) {
        let rounds = if self.loops < DEEPEST_LOOPS { 2 } else { 1 };
        for _ in 0..rounds {
            if !self.round(body, test) {
                break;
            }
        }
    }

    /// Runs a loop's body once, which may not run at all. Whether anything new came out of it.
    fn round(&mut self, body: &'a List, test: Option<NodeId>) -> bool {
        let mark = self.state.mark();
        self.loops += 1;
        self.under(test, |shell| shell.list(body, true));
        self.loops -= 1;
        let changes = self.state.rewind(mark);
        let before: Vec<_> = changes.names().map(|name| (name.clone(), self.state.known(name))).collect();
        self.join(vec![changes], false, body.span);
        !before.iter().all(|(name, old)| old.is_some() && *old == self.state.known(name))
    }

    fn for_command(&mut self, body: &'a For) -> Status {
        let mut value = Value::default();
        let words = body.words.as_deref().unwrap_or_default();
        let mut constant = words.len() > 1;
        for (at, word) in words.iter().enumerate() {
            let next = self.argument(word);
            constant &= next.is_plain() && next.literal.is_some();
            if at == 0 {
                value = next;
            } else {
                value.join(&next);
            }
        }
        if words.len() != 1 {
            value.literal = None;
        }
        if constant
            && self.loops < DEEPEST_LOOPS
            && let Some(first) = words.first()
        {
            // `for word in PASS LGTM`: what is done with one of the words shows which kind of words they are.
            let first = self.argument(first);
            self.assign(&body.variable, first, body.variable_span);
            self.round(&body.body, None);
        }
        if body.words.is_none() {
            for positional in &self.state.positional {
                value.add_nodes(&positional.nodes);
            }
        }
        self.assign(&body.variable, value, body.variable_span);
        if words.iter().any(|word| self.splits(word)) || (body.words.is_none() && self.state.pieces.contains("@")) {
            self.state.pieces.insert(body.variable.as_str().into());
        }
        self.twice(&body.body, None);
        Status::default()
    }
}

/// `true`, `:`
fn always_succeeds(pipeline: &Pipeline) -> bool {
    let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return false };
    !pipeline.negated && matches!(simple.words.first().and_then(plain_text), Some("true" | ":"))
}

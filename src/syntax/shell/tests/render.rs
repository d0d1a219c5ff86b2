//! A short form of the tree for tables: `(if (a) (b))`, words as their parts.

use super::super::ast::{
    AndOr, AndOrOp, AssignValue, Assignment, CaseEnd, Command, CommandKind, List, Parameter, ParameterOp, PartKind,
    Pipeline, Redirect, RedirectKind, TestExpr, TestKind, Word,
};

pub(super) fn list(node: &List) -> String {
    join(node.items.iter().map(and_or), " ; ")
}

fn join(items: impl Iterator<Item = String>, between: &str) -> String {
    items.collect::<Vec<_>>().join(between)
}

fn and_or(node: &AndOr) -> String {
    let mut text = pipeline(&node.first);
    for (op, next) in &node.rest {
        let op = if *op == AndOrOp::And { "&&" } else { "||" };
        text = format!("{text} {op} {}", pipeline(next));
    }
    if node.background { text + " &" } else { text }
}

fn pipeline(node: &Pipeline) -> String {
    let mut text = if node.negated { "! ".to_owned() } else { String::new() };
    for (index, each) in node.commands.iter().enumerate() {
        if let Some(both) = index.checked_sub(1).and_then(|pipe| node.stderr_too.get(pipe)) {
            text += if *both { " |& " } else { " | " };
        }
        text += &command(each);
    }
    text
}

pub(super) fn command(node: &Command) -> String {
    let text = match &node.kind {
        CommandKind::Simple(simple) => join(
            simple
                .assignments
                .iter()
                .map(assignment)
                .chain(simple.words.iter().map(word))
                .chain(simple.declared.iter().map(|each| format!("declared:{}", assignment(each)))),
            " ",
        ),
        CommandKind::If(node) => {
            let branches = join(node.branches.iter().map(|(a, b)| format!("({}) ({})", list(a), list(b))), " elif ");
            let otherwise = node.otherwise.as_ref().map_or(String::new(), |body| format!(" else ({})", list(body)));
            format!("(if {branches}{otherwise})")
        }
        CommandKind::While(node) => {
            let name = if node.until { "until" } else { "while" };
            format!("({name} ({}) ({}))", list(&node.condition), list(&node.body))
        }
        CommandKind::For(node) => {
            let name = if node.select { "select" } else { "for" };
            let words = node.words.as_ref().map_or("@".to_owned(), |words| join(words.iter().map(word), " "));
            format!("({name} {} in ({words}) ({}))", node.variable, list(&node.body))
        }
        CommandKind::ArithmeticFor(node) => format!("(for(( {} ({}))", word(&node.header), list(&node.body)),
        CommandKind::Case(node) => {
            let arms = join(
                node.arms.iter().map(|arm| {
                    let end = match arm.end {
                        CaseEnd::Break => ";;",
                        CaseEnd::FallThrough => ";&",
                        CaseEnd::Continue => ";;&",
                    };
                    format!("[{}]({}){end}", join(arm.patterns.iter().map(word), "|"), list(&arm.body))
                }),
                " ",
            );
            format!("(case {} {arms})", word(&node.subject))
        }
        CommandKind::Subshell(body) => format!("(sub {})", list(body)),
        CommandKind::Group(body) => format!("(group {})", list(body)),
        CommandKind::Arithmetic(text) => format!("(( {} ))", word(text)),
        CommandKind::Test(expr) => format!("[[ {} ]]", test(expr)),
        CommandKind::Function(node) => format!("(function {} {})", node.name, command(&node.body)),
        CommandKind::Coproc(inner) => format!("(coproc {})", command(inner)),
        CommandKind::Unreadable => "(unreadable)".to_owned(),
    };
    let redirects = join(node.redirects.iter().map(redirect), " ");
    join([text, redirects].into_iter().filter(|text| !text.is_empty()), " ")
}

fn redirect(node: &Redirect) -> String {
    let fd = node.fd.map_or(String::new(), |fd| fd.to_string());
    let (operator, target) = match &node.kind {
        RedirectKind::Input(target) => ("<", target),
        RedirectKind::Output(target) => (">", target),
        RedirectKind::Append(target) => (">>", target),
        RedirectKind::OutputAndError(target) => ("&>", target),
        RedirectKind::AppendOutputAndError(target) => ("&>>", target),
        RedirectKind::ReadWrite(target) => ("<>", target),
        RedirectKind::DuplicateInput(target) => ("<&", target),
        RedirectKind::DuplicateOutput(target) => (">&", target),
        RedirectKind::HereString(target) => ("<<<", target),
        RedirectKind::HereDocument(document) => {
            let quoted = if document.quoted { "'" } else { "" };
            let dash = if document.strip_tabs { "-" } else { "" };
            let open = if document.closed { "" } else { "..." };
            return format!("{fd}<<{dash}{quoted}{}{quoted}<{}>{open}", document.delimiter, word(&document.body));
        }
    };
    format!("{fd}{operator}{}", word(target))
}

fn assignment(node: &Assignment) -> String {
    let index = node.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let operator = if node.append { "+=" } else { "=" };
    let value = match &node.value {
        AssignValue::Word(value) => word(value),
        AssignValue::Array(elements) => {
            let elements = elements.iter().map(|(index, value)| {
                index.as_ref().map_or(String::new(), |index| format!("[{}]=", word(index))) + &word(value)
            });
            format!("({})", join(elements, " "))
        }
    };
    format!("{}{index}{operator}{value}", node.name)
}

fn test(expr: &TestExpr) -> String {
    match &expr.kind {
        TestKind::Not(inner) => format!("(! {})", test(inner)),
        TestKind::And(left, right) => format!("({} && {})", test(left), test(right)),
        TestKind::Or(left, right) => format!("({} || {})", test(left), test(right)),
        TestKind::Unary(operator, operand) => format!("({operator} {})", word(operand)),
        TestKind::Binary(left, operator, right) => format!("({} {operator} {})", word(left), word(right)),
        TestKind::Word(operand) => word(operand),
        TestKind::Unreadable => "?".to_owned(),
    }
}

pub(super) fn word(node: &Word) -> String {
    join(node.parts.iter().map(|part| kind(&part.kind)), "·")
}

fn kind(node: &PartKind) -> String {
    match node {
        PartKind::Literal(text) => text.replace('\n', "↵"),
        PartKind::SingleQuoted(text) => format!("'{text}'"),
        PartKind::AnsiQuoted(text) => format!("$'{}'", text.escape_debug()),
        PartKind::DoubleQuoted(parts) => {
            format!("\"{}\"", join(parts.iter().map(|part| kind(&part.kind)), "·")).replace('\n', "↵")
        }
        PartKind::SingleQuotedWithHoles(parts) => format!("'{}'", join(parts.iter().map(|part| kind(&part.kind)), "·")),
        PartKind::Parameter(node) => parameter(node),
        PartKind::Substitution(node) => {
            let open = if node.backquoted { "`" } else { "$(" };
            format!("{open}{})", list(&node.body))
        }
        PartKind::Arithmetic(text) => format!("$(({}))", word(text)),
        PartKind::Process(node) => format!("{}({})", if node.output { ">" } else { "<" }, list(&node.body)),
        PartKind::Hole(hole) => format!("<hole {}>", hole.text),
        PartKind::Pattern(text) => format!("/{text}/"),
    }
}

fn parameter(node: &Parameter) -> String {
    let index = node.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let bang = if node.indirect { "!" } else { "" };
    let colon = |colon: bool| if colon { ":" } else { "" };
    let op = match &node.op {
        ParameterOp::Plain => return format!("${bang}{}{index}", node.name),
        ParameterOp::Length => " length".to_owned(),
        ParameterOp::Indirect => " indirect".to_owned(),
        ParameterOp::Names => " names".to_owned(),
        ParameterOp::Default { colon: with, word: text } => format!("{}-{}", colon(*with), word(text)),
        ParameterOp::Assign { colon: with, word: text } => format!("{}={}", colon(*with), word(text)),
        ParameterOp::Error { colon: with, word: text } => format!("{}?{}", colon(*with), word(text)),
        ParameterOp::Alternative { colon: with, word: text } => format!("{}+{}", colon(*with), word(text)),
        ParameterOp::Strip { suffix, longest, pattern } => {
            let operator = if *suffix { "%" } else { "#" };
            format!("{}{}", operator.repeat(1 + usize::from(*longest)), word(pattern))
        }
        ParameterOp::Replace { all, anchor, pattern, with } => {
            let slash = if *all { "//" } else { "/" };
            let anchor = anchor.map_or(String::new(), |anchor| anchor.to_string());
            let with = with.as_ref().map_or(String::new(), |with| format!(" with {}", word(with)));
            format!("{slash}{anchor}{}{with}", word(pattern))
        }
        ParameterOp::Slice { offset, length } => {
            format!(":{}", word(offset)) + &length.as_ref().map_or(String::new(), |length| format!(":{}", word(length)))
        }
        ParameterOp::Case(operator) => operator.clone(),
        ParameterOp::Transform(letter) => format!("@{letter}"),
    };
    format!("${{{bang}{}{index}{op}}}", node.name)
}

//! `extract-field` without a default: no verdict is the empty text.

use super::super::edits::append;
use super::super::rewrite::safe_default;
use super::super::trail::{comes_from, decision, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use crate::flow::{NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "missing-default";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::ExtractField { field, default: None } = &node.kind else { continue };
        if !is_here(cx, node.place) || node.trust < Trust::Extracted {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        // `${V:-unknown}` later on is a default as well.
        if path.iter().any(|step| matches!(cx.graph.node(*step).kind, NodeKind::Fallback(_))) {
            continue;
        }
        let name = field.as_deref().unwrap_or("the field");
        let default = safe_default(name);
        let message = format!(
            "{}, and \"{name}\" decides without a default: when there is no verdict, an empty text is tested",
            comes_from(cx, id)
        );
        let mut finding = Finding::new(ID, node.place, message)
            .help(format!("add the value on which the gate stays closed, such as `--default {default}`"));
        if let Some(edit) = append(cx, node.place, &format!(" --default {default}")) {
            let title = format!("Add `--default {default}`");
            finding = finding.fix(Fix { title, safety: Safety::Suggest, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &path));
    }
}

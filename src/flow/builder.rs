//! Makes nodes while something is interpreted: keeps the tests that are open, and a budget.

use std::sync::Arc;

use super::{Graph, Input, Logic, Name, NodeId, NodeKind, Place, Role, Source, Trust, Value};

/// More nodes than this are not made: the rest of the recipe is taken as clean. Real recipes need a few hundred.
const MOST_NODES: usize = 60_000;
/// A name of more parts gets a node of its own: hundreds of assignments under tests would otherwise make an edge from
/// each to each. Real recipes have a handful.
const MOST_PARTS: usize = 32;
/// The tests around a place that are more are joined into one, for the same reason.
const MOST_CONTROLS: usize = 32;

/// A graph in the making.
#[derive(Debug, Default)]
pub struct Builder {
    /// The graph so far.
    pub graph: Graph,
    /// Tests whose branches are being interpreted, outermost first.
    pub controls: Vec<NodeId>,
}

impl Builder {
    /// Whether the budget is used up.
    pub fn exhausted(&self) -> bool {
        self.graph.len() >= MOST_NODES
    }

    /// A node made of a value.
    pub fn on(&mut self, kind: NodeKind, place: Place, value: &Value) -> NodeId {
        self.graph.add(kind, place, value.inputs(), None)
    }

    /// A node made of a value, with a trust of its own.
    pub fn with_trust(&mut self, kind: NodeKind, place: Place, value: &Value, trust: Trust) -> NodeId {
        self.graph.add(kind, place, value.inputs(), Some(trust))
    }

    /// A source.
    pub fn source(&mut self, source: Source, place: Place, trust: Trust) -> NodeId {
        self.graph.add(NodeKind::Source(source), place, Vec::new(), Some(trust))
    }

    /// A name that holds a value. Plain values outside of branches need no node.
    pub fn name(&mut self, name: Name, place: Place, value: Value) -> Value {
        if value.is_plain() && self.controls.is_empty() {
            return value;
        }
        let mut inputs = value.inputs();
        self.add_controls(&mut inputs);
        let id = self.graph.add(NodeKind::Name(name), place, inputs, None);
        self.keep_literal(id, &value);
        Value { nodes: vec![id], ..value }
    }

    /// The same for a value that was joined from those of branches: nothing is made while it has few parts.
    pub fn fold(&mut self, name: impl FnOnce() -> Name, place: Place, value: &mut Value) {
        if value.nodes.len() > MOST_PARTS {
            let id = self.graph.add(NodeKind::Name(name()), place, value.inputs(), None);
            value.nodes = vec![id];
        }
    }

    /// Opens a test, unless it is open already. Whether it was opened, and has to be closed.
    pub fn enter(&mut self, test: NodeId) -> bool {
        if self.controls.contains(&test) {
            return false;
        }
        let test = match self.controls.last() {
            Some(outer) if self.controls.len() >= MOST_CONTROLS => {
                let inputs = [*outer, test].map(|from| Input { from, role: Role::Data }).to_vec();
                self.graph.add(NodeKind::Logic(Logic::And), self.graph.node(test).place, inputs, None)
            }
            _ => test,
        };
        self.controls.push(test);
        true
    }

    /// A text that is printed in a branch depends on the branch's test even if it is a constant.
    pub fn printed(&mut self, place: Place, value: Value) -> Value {
        if self.controls.is_empty() || value.literal.as_deref() == Some("") {
            return value;
        }
        let mut inputs = value.inputs();
        self.add_controls(&mut inputs);
        let id = self.graph.add(NodeKind::Pass(super::Pass::Print), place, inputs, None);
        self.keep_literal(id, &value);
        Value { nodes: vec![id], ..value }
    }

    fn keep_literal(&mut self, id: NodeId, value: &Value) {
        if let Some(text) = value.text() {
            self.graph.set_literal(id, Arc::clone(text));
        }
    }

    fn add_controls(&self, inputs: &mut Vec<Input>) {
        // The last one stands for all behind the first ones, see `enter`.
        let first = self.controls.len().min(MOST_CONTROLS);
        let last = self.controls.last().filter(|_| self.controls.len() > first);
        for id in self.controls.iter().take(first).chain(last) {
            let input = Input { from: *id, role: Role::Control };
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }

    /// Trust of a value.
    pub fn trust(&self, value: &Value) -> Trust {
        value.trust(&self.graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::FileId;
    use crate::text::Span;

    #[test]
    fn every_open_test_has_a_say_in_what_is_printed() {
        let mut builder = Builder::default();
        let place = |at| Place { file: FileId(0), span: Span::at(at) };
        let tests: Vec<NodeId> = (0..3 * MOST_CONTROLS)
            .map(|at| builder.source(Source::User { name: "x".into() }, place(at), Trust::User))
            .collect();
        assert!(tests.iter().all(|test| builder.enter(*test)));
        assert!(!tests.iter().take(MOST_CONTROLS).any(|test| builder.enter(*test)), "these are open already");
        let printed = builder.printed(place(0), Value::literal("yes"));
        let mut reached: Vec<NodeId> = printed.nodes.clone();
        let mut at = 0;
        while let Some(id) = reached.get(at).copied() {
            for input in &builder.graph.node(id).inputs {
                if !reached.contains(&input.from) {
                    reached.push(input.from);
                }
            }
            at += 1;
        }
        assert!(tests.iter().all(|test| reached.contains(test)));
        assert!(builder.graph.nodes().all(|(_, node)| node.inputs.len() <= MOST_CONTROLS + 1));
    }
}

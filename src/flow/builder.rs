//! Makes nodes while something is interpreted: keeps the tests that are open, and a budget.

use std::sync::Arc;

use super::{Graph, Input, Name, NodeId, NodeKind, Place, Role, Source, Trust, Value};

/// More nodes than this are not made: the rest of the recipe is taken as clean. Real recipes need a few hundred.
const MOST_NODES: usize = 60_000;

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
        for id in &self.controls {
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

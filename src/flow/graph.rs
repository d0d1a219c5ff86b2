//! The graph and the questions that lints ask of it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::decision::DecisionForm;
use super::node::{Input, Node, NodeId, NodeKind, Role, Trust};
use super::place::Place;
use crate::recipe::FileId;

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// `users[i]`: the nodes that have `i` among their inputs. Built by [`Graph::finish`].
    users: Vec<Vec<Input>>,
    /// `reaches[i]`: whether a way leads from `i` to a decision: unchosen, and already chosen by a test. Built by
    /// [`Graph::finish`], so that lints ask for the way only where there is one.
    reaches: Vec<[bool; 2]>,
    /// The nodes of each file, by number. Built by [`Graph::finish`].
    by_file: HashMap<FileId, Vec<NodeId>>,
    /// Where the analysis ran out of its budget: what stands behind was not followed. One place a file at most.
    unfinished: Vec<Place>,
    /// JSON schemas that the texts of sources follow.
    schemas: HashMap<NodeId, Arc<serde_json::Value>>,
}

impl Graph {
    /// Adds a node; its trust is at least the greatest of its data inputs' trust where `trust` is `None`.
    pub fn add(&mut self, kind: NodeKind, place: Place, inputs: Vec<Input>, trust: Option<Trust>) -> NodeId {
        let trust = trust.unwrap_or_else(|| self.join_trust(&inputs));
        self.nodes.push(Node { kind, place, trust, inputs, literal: None });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The greatest trust among data inputs.
    pub fn join_trust(&self, inputs: &[Input]) -> Trust {
        inputs
            .iter()
            .filter(|input| input.role == Role::Data)
            .map(|input| self.node(input.from).trust)
            .max()
            .unwrap_or_default()
    }

    /// Sets the known text of a node.
    pub fn set_literal(&mut self, id: NodeId, literal: impl Into<Arc<str>>) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.literal = Some(literal.into());
        }
    }

    /// Notes the JSON schema that a source's text was validated against.
    pub fn set_schema(&mut self, id: NodeId, schema: Arc<serde_json::Value>) {
        self.schemas.insert(id, schema);
    }

    /// The JSON schema that a source's text follows, where it is known.
    pub fn schema(&self, id: NodeId) -> Option<&Arc<serde_json::Value>> {
        self.schemas.get(&id)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All nodes in the order in which they were met.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(at, node)| (NodeId(at as u32), node))
    }

    /// Notes that what stands behind a place was not followed.
    pub fn give_up(&mut self, place: Place) {
        if self.unfinished(place.file).is_none() {
            self.unfinished.push(place);
        }
    }

    /// Where a file's analysis ran out of its budget.
    pub fn unfinished(&self, file: FileId) -> Option<Place> {
        self.unfinished.iter().find(|place| place.file == file).copied()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Drops the nodes from number `len` on; none before may be linked to them.
    pub(super) fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
    }

    /// Builds the way forward. Call once, when all edges are there.
    pub fn finish(&mut self) {
        self.users = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for input in &node.inputs {
                if let Some(users) = self.users.get_mut(input.from.0 as usize) {
                    users.push(Input { from: NodeId(at as u32), role: input.role });
                }
            }
        }
        self.mark_decisions();
        self.by_file.clear();
        for (at, node) in self.nodes.iter().enumerate() {
            self.by_file.entry(node.place.file).or_default().push(NodeId(at as u32));
        }
    }

    /// The nodes of a file in the order in which they were met.
    pub fn nodes_in(&self, file: FileId) -> impl Iterator<Item = (NodeId, &Node)> {
        self.by_file.get(&file).into_iter().flatten().map(|id| (*id, self.node(*id)))
    }

    /// Marks backwards from the ends which nodes lead to a decision.
    fn mark_decisions(&mut self) {
        self.reaches = vec![[false; 2]; self.nodes.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.nodes.len() {
            for chosen in 0..2 {
                if self.ends(NodeId(at as u32), chosen) {
                    self.reaches[at][chosen] = true;
                    open.push((at, chosen));
                }
            }
        }
        while let Some((at, chosen)) = open.pop() {
            for input in &self.nodes[at].inputs {
                let from = input.from.0 as usize;
                // An edge of control leads to the chosen state from both; one of data keeps the state.
                let states: &[usize] = match (input.role, chosen) {
                    (Role::Control, 1) => &[0, 1],
                    (Role::Control, _) => &[],
                    (Role::Data, 1) => &[1],
                    (Role::Data, _) => &[0],
                };
                for state in states {
                    if let Some(slot) = self.reaches.get_mut(from).and_then(|slots| slots.get_mut(*state))
                        && !*slot
                    {
                        *slot = true;
                        open.push((from, *state));
                    }
                }
            }
        }
    }

    /// Whether a way may end here: at a decision, or at a program's argument that was chosen by a test.
    fn ends(&self, id: NodeId, chosen: usize) -> bool {
        match &self.node(id).kind {
            NodeKind::Decide(decision) => {
                decision.form == DecisionForm::Exit
                    || !(decision.when_true.only_prints() && decision.when_false.only_prints())
            }
            NodeKind::Act { .. } => chosen == 1,
            _ => false,
        }
    }

    /// The nodes that use a node (`from` is the user here).
    pub fn users(&self, id: NodeId) -> &[Input] {
        self.users.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The shortest way from a node to a place where it decides, both ends included; `None` when it only is shown or
    /// stored, or when both branches of the tests only print. A program's argument counts as a decision only when the
    /// value there was *chosen* by this node (the way has a control edge).
    pub fn decides(&self, from: NodeId) -> Option<Vec<NodeId>> {
        if !self.reaches.get(from.0 as usize)?[0] {
            return None;
        }
        let mut parents: FxHashMap<(NodeId, usize), Option<(NodeId, usize)>> =
            FxHashMap::from_iter([((from, 0), None)]);
        let mut queue = VecDeque::from([(from, 0_usize)]);
        while let Some((id, chosen)) = queue.pop_front() {
            if self.ends(id, chosen) {
                let mut path = vec![id];
                let mut state = (id, chosen);
                while let Some(Some(parent)) = parents.get(&state) {
                    path.push(parent.0);
                    state = *parent;
                }
                path.reverse();
                return Some(path);
            }
            for user in self.users(id) {
                let next = (user.from, if user.role == Role::Control { 1 } else { chosen });
                let leads = self.reaches.get(next.0.0 as usize).is_some_and(|states| states[next.1]);
                if leads && !parents.contains_key(&next) {
                    parents.insert(next, Some((id, chosen)));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The way by which the least trusted text came here, source first, the node itself last; along data edges only.
    pub fn provenance(&self, to: NodeId) -> Vec<NodeId> {
        let mut path = vec![to];
        let mut at = to;
        while path.len() <= self.nodes.len() {
            let next = self
                .node(at)
                .inputs
                .iter()
                .filter(|input| input.role == Role::Data && !path.contains(&input.from))
                .max_by_key(|input| (self.node(input.from).trust, std::cmp::Reverse(input.from)))
                .map(|input| input.from);
            match next {
                Some(next) => {
                    path.push(next);
                    at = next;
                }
                None => break,
            }
        }
        path.reverse();
        path
    }
}

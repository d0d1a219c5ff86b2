//! From files to their graph.

use super::recipe::Runner;
use super::shell::Trees;
use super::{Builder, Graph, Group, Options, shell, workflow};
use crate::recipe::{Action, Dialect, Index};

/// The graph of a group of files.
pub fn analyse(group: &Group, index: &Index, options: &Options) -> Graph {
    let trees = Trees::default();
    let mut builder = Builder::default();
    let mut recipes = Vec::new();
    let mut workflows = Vec::new();
    for id in &group.roots {
        let Some(file) = index.file(*id) else { continue };
        match file.dialect {
            Dialect::Amplihack => recipes.push(file),
            Dialect::Program => super::program::run_file(&mut builder, file),
            Dialect::Workflow | Dialect::Action => workflows.push(file),
            Dialect::Script => {
                for step in &file.recipe.steps {
                    if let Action::Script(script) = &step.action {
                        let unit = super::shell::Unit::of(file, script, &trees);
                        let start =
                            shell::Start { status_decides: true, pipefail: script.pipefail, ..shell::Start::default() };
                        shell::run(&mut builder, &mut super::Nothing, options, unit, start);
                    }
                }
            }
            _ => {}
        }
    }
    if !workflows.is_empty()
        && group.members.iter().filter_map(|id| index.file(*id)).any(|file| workflow::may_run_agent(file))
    {
        let mut runner = workflow::Runner::new(&mut builder, index, options, &trees);
        for file in workflows {
            runner.root(file);
        }
    }
    let mut runner = Runner::new(&mut builder, index, options, &trees);
    for file in recipes {
        runner.root(file);
    }
    runner.finish();
    let mut graph = builder.graph;
    graph.finish();
    graph
}

//! Each layer by itself: `cargo bench --bench layers`. Throughput is of recipe text.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use recipelint::flow::{self, Options};
use recipelint::recipe::{Dialect, FileId, Index};
use recipelint::syntax::{condition, shell, yaml};
use recipelint::text::Source;
use recipelint::{lints, workspace};

fn main() {
    divan::main();
}

fn index() -> Index {
    let source = Source::new("made.yaml", common::recipe(1));
    let mut file = workspace::lower(&PathBuf::from("/made.yaml"), source, Dialect::Amplihack);
    file.id = FileId(0);
    Index::new(vec![Arc::new(file)])
}

fn scripts() -> Vec<String> {
    index().files()[0]
        .recipe
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            recipelint::recipe::Action::Script(script) => Some(script.fragment.text().to_owned()),
            _ => None,
        })
        .collect()
}

#[divan::bench]
fn yaml_tree(bencher: Bencher<'_, '_>) {
    let text = common::recipe(1);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| yaml::parse(black_box(&text)));
}

#[divan::bench]
fn bash_trees(bencher: Bencher<'_, '_>) {
    let scripts = scripts();
    let bytes: usize = scripts.iter().map(String::len).sum();
    let options = shell::Options { holes: shell::Holes::Template };
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for script in &scripts {
            black_box(shell::parse(black_box(script), options));
        }
    });
}

#[divan::bench]
fn conditions(bencher: Bencher<'_, '_>) {
    let text = "a.verdict == 'PASS' and (b in ['x', 'y'] or not c) and len(d.items) > 3";
    bencher.counter(BytesCount::of_str(text)).bench_local(|| condition::parse(black_box(text)));
}

#[divan::bench]
fn lowering(bencher: Bencher<'_, '_>) {
    let text: Arc<str> = common::recipe(1).into();
    let path = PathBuf::from("/made.yaml");
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| workspace::lower(&path, Source::new("made.yaml", black_box(text.clone())), Dialect::Amplihack));
}

#[divan::bench]
fn flow_graph(bencher: Bencher<'_, '_>) {
    let index = index();
    let groups = flow::groups(&index);
    let bytes = index.files()[0].source.text.len();
    let options = Options::default();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| flow::analyse(&groups[0], black_box(&index), &options));
}

#[divan::bench]
fn all_lints(bencher: Bencher<'_, '_>) {
    let index = index();
    let graph = flow::analyse(&flow::groups(&index)[0], &index, &Options::default());
    let settings = lints::Settings::default();
    let file = &index.files()[0];
    bencher
        .counter(BytesCount::new(file.source.text.len()))
        .bench_local(|| lints::check_file(black_box(file), &graph, &index, &settings));
}

//! The whole check against bare parsing, and how it grows: `cargo bench --bench scale`. Prints medians of several runs;
//! compare the ratios, single times depend on the machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use recipelint::recipe::Action;
use recipelint::syntax::{shell, yaml};
use recipelint::workspace::{self, Disk, Request};

fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

fn megabytes_per_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

fn check(folder: &Path) -> workspace::Outcome {
    let request = Request { paths: vec![folder.to_owned()], cwd: folder.to_owned(), ..Request::default() };
    workspace::check(&Disk::default(), &request, &|_, _| {}).expect("no configuration is broken")
}

/// Parses all YAML and all bash of the texts, on one thread.
fn bare(texts: &[String]) {
    for text in texts {
        black_box(yaml::parse(text));
    }
}

fn bash_of(folder: &Path) -> Vec<String> {
    let outcome = check(folder);
    let files = outcome.index.files().iter();
    files
        .flat_map(|file| file.recipe.steps.iter())
        .filter_map(|step| match &step.action {
            Action::Script(script) => Some(script.fragment.text().to_owned()),
            _ => None,
        })
        .collect()
}

/// The most memory that this process has had so far, MiB; 0 where the system does not say.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

/// Checks some 5 MB of recipes; the first thing that this process does, so that its peak is the check's.
fn memory(root: &Path) {
    std::fs::create_dir(root).expect("a folder");
    let mut bytes = 0;
    for at in 0..340 {
        let text = common::recipe(at);
        bytes += text.len();
        std::fs::write(root.join(format!("made-{at}.yaml")), text).expect("a file");
    }
    let before = peak();
    let findings = check(root).findings.len();
    println!("{:.2} MB: {findings} findings, {:.1} MiB at most ({before:.1} before)\n", bytes as f64 / 1e6, peak());
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    memory(&folder.path().join("memory"));
    println!(
        "{:>6} {:>9} {:>10} {:>9} {:>10} {:>22}",
        "files", "MB", "check ms", "MB/s", "files/s", "check : bare parse"
    );
    for count in [10, 100, 1000] {
        let root = folder.path().join(count.to_string());
        std::fs::create_dir(&root).expect("a folder");
        let texts: Vec<String> = (0..count).map(common::recipe).collect();
        for (at, text) in texts.iter().enumerate() {
            std::fs::write(root.join(format!("made-{at}.yaml")), text).expect("a file");
        }
        let bytes: usize = texts.iter().map(String::len).sum();
        let runs = if count == 1000 { 5 } else { 15 };
        let scripts = bash_of(&root);
        let options = shell::Options { holes: shell::Holes::Template };
        let parse = median(runs, || {
            bare(&texts);
            for script in &scripts {
                black_box(shell::parse(script, options));
            }
        });
        let whole = median(runs, || {
            black_box(check(&root));
        });
        // Bare parsing runs on one thread, so processor time is compared, not the clock.
        let one = whole.mul_f64(std::thread::available_parallelism().map_or(1, |threads| threads.get().min(2)) as f64);
        println!(
            "{count:>6} {:>9.2} {:>10.1} {:>9.1} {:>10.0} {:>22.2}",
            bytes as f64 / 1e6,
            whole.as_secs_f64() * 1e3,
            megabytes_per_second(bytes, whole),
            count as f64 / whole.as_secs_f64(),
            one.as_secs_f64() / parse.as_secs_f64(),
        );
    }
    // Up to nearly the size at which the engine, and so the check, refuses a recipe.
    println!("\none file, growing:");
    for factor in [1, 10, 60] {
        let mut text = common::recipe(1);
        let steps: String = text.split_once("steps:\n").map(|(_, steps)| steps.to_owned()).unwrap_or_default();
        let ids = |at: usize| {
            steps
                .replace("id: work-", &format!("id: w{at}-"))
                .replace("id: gate-", &format!("id: g{at}-"))
                .replace("id: follow-", &format!("id: f{at}-"))
        };
        for at in 1..factor {
            text.push_str(&ids(at));
        }
        let root = folder.path().join(format!("one-{factor}"));
        std::fs::create_dir(&root).expect("a folder");
        std::fs::write(root.join("made.yaml"), &text).expect("a file");
        let time = median(5, || {
            black_box(check(&root));
        });
        println!(
            "{:>9.2} MB {:>10.1} ms {:>9.1} MB/s",
            text.len() as f64 / 1e6,
            time.as_secs_f64() * 1e3,
            megabytes_per_second(text.len(), time)
        );
    }
}

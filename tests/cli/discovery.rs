//! Which files are checked.

use crate::common::{BAD, Folder, GOOD};

fn paths(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    folder.findings(arguments).into_iter().map(|(_, path, _)| path).collect()
}

#[test]
fn folders_are_walked_as_git_sees_them() {
    let folder = Folder::new(&[
        ("recipes/a.yaml", BAD),
        ("recipes/deep/b.yml", BAD),
        (".claude/recipes/c.yaml", BAD),
        (".hidden/d.yaml", BAD),
        ("node_modules/e.yaml", BAD),
        ("ignored/f.yaml", BAD),
        (".gitignore", "ignored/\n"),
        ("values.yaml", "name: x\nreplicas: 3\n"),
        ("notes.md", "text\n"),
    ]);
    let wanted = [".claude/recipes/c.yaml", "recipes/a.yaml", "recipes/deep/b.yml"];
    assert_eq!(paths(&folder, &[]), wanted);
    assert_eq!(paths(&folder, &["."]), wanted);
    assert_eq!(paths(&folder, &["recipes", "recipes/a.yaml", "recipes"]), wanted[1..], "each once");
    assert_eq!(paths(&folder, &["ignored/f.yaml"]), ["ignored/f.yaml"], "a named file is always read");
    assert_eq!(paths(&folder, &[".hidden/d.yaml"]), [".hidden/d.yaml"]);
}

#[test]
fn globs() {
    let folder = Folder::new(&[("recipes/a.yaml", BAD), ("recipes/deep/b.yaml", BAD), ("other/c.yaml", BAD)]);
    assert_eq!(paths(&folder, &["recipes/*.yaml"]), ["recipes/a.yaml"]);
    assert_eq!(paths(&folder, &["**/*.yaml"]), ["other/c.yaml", "recipes/a.yaml", "recipes/deep/b.yaml"]);
    let done = folder.run(&["check", "nothing/*.yaml"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("this glob matches no file"), "{done:?}");
}

#[test]
fn paths_are_shown_from_the_working_directory() {
    let folder = Folder::new(&[("sub/a.yaml", BAD)]);
    let absolute = folder.path().join("sub/a.yaml");
    assert_eq!(paths(&folder, &[absolute.to_str().unwrap()]), ["sub/a.yaml"]);
    assert_eq!(paths(&folder, &["./sub/../sub/a.yaml"]), ["sub/a.yaml"]);
    let from_below = crate::driver::done(
        crate::driver::command_in(&folder.path().join("sub"), &["check", "--format", "concise", "a.yaml"])
            .env("X", "1"),
    );
    assert!(from_below.out.starts_with("a.yaml:9:"), "{from_below:?}");
}

#[test]
fn a_path_with_odd_characters() {
    let folder = Folder::new(&[("späße 100%/a b#c.yaml", BAD)]);
    assert_eq!(paths(&folder, &[]), ["späße 100%/a b#c.yaml"]);
    let done = folder.run(&["check", "--format", "sarif"]);
    assert!(done.out.contains("sp%C3%A4%C3%9Fe%20100%25/a%20b%23c.yaml"), "{done:?}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let outside = Folder::new(&[("secret.yaml", BAD)]);
    let folder = Folder::new(&[("recipes/a.yaml", BAD)]);
    let link =
        |target: &std::path::Path, name: &str| std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    link(&folder.path(), "recipes/loop");
    link(&outside.path(), "recipes/out");
    link(&outside.path().join("secret.yaml"), "recipes/file.yaml");
    link(&folder.path().join("gone"), "recipes/dangling.yaml");
    let done = folder.run(&["check", "--format", "concise"]);
    assert_eq!(done.code, 1, "{done:?}");
    assert_eq!(done.out.lines().count(), 1, "{done:?}");
    assert_eq!(done.err.lines().count(), 1, "said once: {done:?}");
    assert!(done.err.contains("lead out of the checked folder"), "{done:?}");
    let done = folder.run(&["check", "recipes/dangling.yaml"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("leads nowhere"), "{done:?}");
    assert_eq!(paths(&folder, &["recipes/file.yaml"]), ["recipes/file.yaml"], "a named link is read");
}

#[test]
fn neighbours_are_read_and_not_reported() {
    let parent = "name: parent\nsteps:\n  - id: ask\n    agent: a:b\n    prompt: Say it.\n    output: said\n  - id: run\n    recipe: child\n";
    let child = "name: child\nsteps:\n  - id: act\n    command: |\n      if printf '%s' \"$SAID\" | grep -q yes; then ./go; fi\n";
    let folder = Folder::new(&[("parent.yaml", parent), ("child.yaml", child), ("bad.yaml", BAD)]);
    let found = folder.findings(&["child.yaml"]);
    assert!(found.contains(&("grep-agent-output".into(), "child.yaml".into(), 5)), "{found:?}");
    assert!(found.iter().all(|(_, path, _)| path == "child.yaml"), "{found:?}");
}

#[test]
fn nothing_to_check_is_no_failure() {
    let folder = Folder::new(&[("readme.md", "x")]);
    let done = folder.run(&["check"]);
    assert_eq!((done.code, done.out.as_str()), (0, "no findings in 0 files\n"));
    let folder = Folder::new(&[("good.yaml", GOOD)]);
    assert_eq!(folder.run(&["check"]).out, "no findings in 1 file\n");
}

#[test]
fn two_recipes_with_one_name_are_told_once() {
    let caller = "name: caller\nsteps:\n  - id: one\n    recipe: list\n  - id: two\n    recipe: list\n";
    let folder = Folder::new(&[("a/caller.yaml", caller), ("a/list.yaml", GOOD), ("b/list.yaml", GOOD)]);
    let done = folder.run(&["check"]);
    assert_eq!((done.code, done.err.lines().count()), (0, 1), "{done:?}");
    assert!(done.err.contains("a/list.yaml: is what a call of `list` gets; there is also b/list.yaml"), "{done:?}");
    assert_eq!(folder.run(&["check", "--quiet"]).err, "");
    folder.write("c/good.yaml", GOOD);
    folder.write(".git/HEAD", "");
    assert_eq!(folder.run(&["check", "c"]).err, "", "what is checked calls none of them");
    assert_eq!(folder.run(&["check", "a/caller.yaml"]).err.lines().count(), 1, "this one does");
    let apart = Folder::new(&[("a/list.yaml", GOOD), ("b/list.yaml", GOOD)]);
    assert_eq!(apart.run(&["check"]).err, "", "nobody calls them");
}

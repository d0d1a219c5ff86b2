//! Files are written whole or not at all.

use std::fs;

use recipelint::workspace::write;

#[test]
fn a_changed_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.yaml");
    fs::write(&path, "changed").unwrap();
    let error = write(&path, "old", "new").unwrap_err();
    assert!(error.to_string().contains("changed while it was checked"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "changed");
    assert!(write(&folder.path().join("none.yaml"), "old", "new").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.yaml"), folder.path().join("link.yaml"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    std::os::unix::fs::symlink("a.yaml", &link).unwrap();
    write(&link, "old", "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
}

/// A process of the superuser may write anywhere; there the folder is no obstacle and the file is written.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_loses_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("a.yaml");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).unwrap();
    let written = write(&path, "old", "new");
    let text = fs::read_to_string(&path).unwrap();
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(text, if written.is_ok() { "new" } else { "old" });
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 1, "nothing is left behind");
}

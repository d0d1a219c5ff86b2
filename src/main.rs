//! recipelint.
fn main() {}

//! recipelint.

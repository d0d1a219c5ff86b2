//! Trees are many times larger than the texts they are made of, so a run over many files keeps only those it looks at.

use std::sync::{Arc, OnceLock};

/// A value that is made when it is first asked for, and can be dropped and made again.
#[derive(Debug)]
pub struct Lazy<T>(OnceLock<Arc<T>>);

impl<T> Lazy<T> {
    /// The value, made now if it is not there.
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| Arc::new(make()))
    }

    /// The value, if it was made.
    pub fn get(&self) -> Option<&T> {
        self.0.get().map(AsRef::as_ref)
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<Arc<T>> {
        self.0.take()
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> From<Arc<T>> for Lazy<T> {
    fn from(value: Arc<T>) -> Self {
        Self(value.into())
    }
}

//! Trees are many times larger than the texts they are made of, so a run over many files keeps only those it looks at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value that is made when it is first asked for, and can be dropped and made again. Whoever looks at it keeps it.
#[derive(Debug)]
pub struct Lazy<T>(Mutex<Option<Arc<T>>>);

impl<T> Lazy<T> {
    /// The value, made now if it is not there.
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> Arc<T> {
        self.slot().get_or_insert_with(|| Arc::new(make())).clone()
    }

    /// The value, if it was made.
    pub fn get(&self) -> Option<Arc<T>> {
        self.slot().clone()
    }

    /// Takes the value out.
    pub fn take(&self) -> Option<Arc<T>> {
        self.slot().take()
    }

    /// Puts a value in, unless there is one.
    pub fn offer(&self, value: &Arc<T>) {
        self.slot().get_or_insert_with(|| value.clone());
    }

    /// A value whose making panicked was not made.
    fn slot(&self) -> MutexGuard<'_, Option<Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get()))
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> From<Arc<T>> for Lazy<T> {
    fn from(value: Arc<T>) -> Self {
        Self(Mutex::new(Some(value)))
    }
}

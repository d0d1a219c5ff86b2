//! Around the protocol's service: what tower-lsp 0.20 leaves out. `exit` ends the process even while standard input is
//! open; `shutdown` may have null parameters; a handler that panics answers with an error; so does a message that is none.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::FutureExt;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_service::Service;

use super::wire::UNREADABLE;

/// The service with its guard.
pub struct Guard<S> {
    inner: S,
    shut_down: Arc<AtomicBool>,
}

impl<S> Guard<S> {
    /// Guards a service.
    pub fn new(inner: S) -> Self {
        Self { inner, shut_down: Arc::default() }
    }
}

type Answer<E> = Pin<Box<dyn Future<Output = Result<Option<Response>, E>> + Send>>;

impl<S> Service<Request> for Guard<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Answer<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let request = match (request.method(), request.id()) {
            ("exit", _) => {
                // The protocol asks for 1 when no shutdown came before.
                let clean = self.shut_down.load(Ordering::Relaxed);
                std::process::exit(i32::from(!clean));
            }
            ("shutdown", Some(id)) => {
                self.shut_down.store(true, Ordering::Relaxed);
                Request::build("shutdown").id(id.clone()).finish()
            }
            (UNREADABLE, _) => return Box::pin(std::future::ready(Ok(Some(refusal(request.params()))))),
            _ => request,
        };
        let id = request.id().cloned();
        let answer = self.inner.call(request);
        Box::pin(async move {
            match AssertUnwindSafe(answer).catch_unwind().await {
                Ok(answer) => answer,
                Err(_) => Ok(id.map(|id| Response::from_error(id, Error::internal_error()))),
            }
        })
    }
}

/// The answer to a message that could not be read.
fn refusal(parameters: Option<&serde_json::Value>) -> Response {
    let of = |key: &str| parameters.and_then(|parameters| parameters.get(key));
    let code = of("code").and_then(serde_json::Value::as_i64).map_or(ErrorCode::InvalidRequest, ErrorCode::from);
    let id = of("id").and_then(|id| serde_json::from_value::<Id>(id.clone()).ok()).unwrap_or_default();
    Response::from_error(id, Error::new(code))
}

/// Ends this process soon after its parent: a client that crashed sends no `exit`. Where the system has no `/proc`,
/// the end of standard input does it.
pub fn follow_parent(parent: Option<u32>) {
    let Some(parent) = parent else { return };
    let parent = std::path::PathBuf::from(format!("/proc/{parent}"));
    if !parent.exists() {
        return;
    }
    let _ = std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        while parent.exists() {
            std::thread::sleep(std::time::Duration::from_secs(2));
        }
        std::process::exit(1);
    });
}

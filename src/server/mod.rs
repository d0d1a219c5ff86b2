//! The language server: the same engine and configuration as `check`, over standard input and output.
//!
//! - `backend`: the protocol's methods, each a line or two that asks the worker
//! - `documents`: the texts of open buffers, edited synchronously in the order in which the edits arrive
//! - `worker`: one thread that owns the workspaces; edits and questions reach it in order, results that are no longer
//!   the newest are dropped
//! - `convert`: the only room that knows both protocol types and ours
//! - `wire`: what arrives, message by message; what is no message is answered and does no harm
//! - `guard`: what tower-lsp 0.20 does not do: `exit`, `shutdown` with null parameters, the parent's death
//! - one file per kind of request

mod actions;
mod aids;
mod backend;
mod completion;
mod convert;
mod diagnostics;
mod documents;
mod guard;
mod hover;
mod names;
mod pipeline;
mod settings;
mod symbols;
mod things;
mod wire;
mod worker;

use std::io;

use tower_lsp::{LspService, Server};

use backend::Backend;
use guard::Guard;
use wire::Wire;

/// Serves until the client ends.
pub fn run() -> io::Result<()> {
    // What a panic says may hold text of a file; editors keep what is printed.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("recipelint: internal error at {place}; the request was given up");
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let input = Wire::read(io::stdin())?;
    runtime.block_on(async {
        let (service, socket) = LspService::build(Backend::new).finish();
        // Four slots would be filled by four slow requests, and an edit behind them would wait.
        Server::new(input, tokio::io::stdout(), socket).concurrency_level(1024).serve(Guard::new(service)).await;
    });
    // A thread that still reads standard input would keep the process alive.
    runtime.shutdown_background();
    Ok(())
}

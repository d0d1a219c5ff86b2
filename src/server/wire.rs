//! What arrives on standard input, message by message, before tower-lsp sees it: version 0.20 is deaf after the first
//! message that it cannot read. What is no message of the protocol becomes one that the guard answers with an error.

use std::io::{self, BufRead, BufReader, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc::{Receiver, channel};
use tower_lsp::jsonrpc::{ErrorCode, Request, Response};

/// The method of messages that stand for unreadable ones. Parameters: `code`, and the `id` of what may be a request.
pub const UNREADABLE: &str = "$/recipelint/unreadable";

/// No message over this many bytes is kept: no document of that size is checked.
const LONGEST: u64 = 64 << 20;
/// No line of a header is longer.
const LONGEST_LINE: u64 = 8 << 10;
/// So many messages may wait; then the client waits too.
const QUEUE: usize = 256;

/// The messages, as a stream of bytes with frames that can be read.
pub struct Wire {
    frames: Receiver<Vec<u8>>,
    frame: Vec<u8>,
    at: usize,
}

impl Wire {
    /// Reads from an input in a thread of its own: it may block, and what arrives is noticed at once.
    pub fn read(input: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, frames) = channel(QUEUE);
        std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Some(body)) = next(&mut input) {
                let body = body.unwrap_or_else(|problem| problem.to_string().into_bytes());
                let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                frame.extend(body);
                if sender.blocking_send(frame).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { frames, frame: Vec::new(), at: 0 })
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.at >= this.frame.len() {
            match ready!(this.frames.poll_recv(context)) {
                Some(frame) => (this.frame, this.at) = (frame, 0),
                None => return Poll::Ready(Ok(())),
            }
        }
        let rest = this.frame.get(this.at..).unwrap_or_default();
        let part = rest.get(..buffer.remaining()).unwrap_or(rest);
        buffer.put_slice(part);
        this.at += part.len();
        Poll::Ready(Ok(()))
    }
}

/// The next message, or what stands for it where it is none; nothing at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, Value>>> {
    let mut length: Option<u64> = None;
    let mut garbage = false;
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        match line.split_once(':') {
            _ if line.is_empty() && length.is_some() => break,
            _ if line.is_empty() && garbage => return Ok(Some(Err(unreadable(&ErrorCode::ParseError, Value::Null)))),
            _ if line.is_empty() => {}
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
                garbage |= length.is_none();
            }
            _ => garbage = true,
        }
    }
    let length = length.unwrap_or_default();
    let mut body = Vec::new();
    let mut rest = input.take(length);
    if length > LONGEST {
        io::copy(&mut rest, &mut io::sink())?;
        return Ok(Some(Err(unreadable(&ErrorCode::InvalidRequest, Value::Null))));
    }
    rest.read_to_end(&mut body)?;
    Ok(((body.len() as u64) == length).then(|| judged(body)))
}

/// A message that can be read, or what stands for it.
fn judged(body: Vec<u8>) -> Result<Vec<u8>, Value> {
    if serde_json::from_slice::<Request>(&body).is_ok() || serde_json::from_slice::<Response>(&body).is_ok() {
        return Ok(body);
    }
    Err(match serde_json::from_slice::<Value>(&body) {
        Ok(value) => {
            let id = value.get("id").filter(|id| id.is_i64() || id.is_string());
            unreadable(&ErrorCode::InvalidRequest, id.cloned().unwrap_or_default())
        }
        Err(_) => unreadable(&ErrorCode::ParseError, Value::Null),
    })
}

fn unreadable(code: &ErrorCode, id: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": UNREADABLE, "params": {"code": code.code(), "id": id}})
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Each message, or the code and the id of what stands for it.
    fn all(mut input: &[u8]) -> Vec<Result<String, (i64, Value)>> {
        let mut found = Vec::new();
        while let Some(message) = next(&mut input).unwrap() {
            found.push(match message {
                Ok(body) => Ok(String::from_utf8(body).unwrap()),
                Err(one) => Err((one["params"]["code"].as_i64().unwrap(), one["params"]["id"].clone())),
            });
        }
        found
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    const GOOD: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    #[test]
    fn what_follows_an_unreadable_message_is_read() {
        for (bad, code, id) in [
            (framed("{\"jsonrpc\":"), -32700, Value::Null),
            (framed("\u{fffd}"), -32700, Value::Null),
            (framed("[]"), -32600, Value::Null),
            (framed(r#"{"jsonrpc":"1.0","method":"x","id":7}"#), -32600, json!(7)),
            (framed(r#"{"jsonrpc":"2.0","method":5,"id":"a"}"#), -32600, json!("a")),
            ("Content-Length: x\r\n\r\n".to_owned(), -32700, Value::Null),
            ("what is this\r\n\r\n".to_owned(), -32700, Value::Null),
        ] {
            let input = format!("{}{bad}{}", framed(GOOD), framed(GOOD));
            assert_eq!(all(input.as_bytes()), [Ok(GOOD.to_owned()), Err((code, id)), Ok(GOOD.to_owned())], "{bad}");
        }
    }

    #[test]
    fn headers_in_any_order_and_case() {
        let input = format!(
            "content-type: application/vscode-jsonrpc; charset=utf-16\r\nX-Other: 1\r\ncontent-length:{}\r\n\r\n{GOOD}",
            GOOD.len()
        );
        assert_eq!(all(input.as_bytes()), [Ok(GOOD.to_owned())]);
    }

    #[test]
    fn a_message_that_is_cut_off_is_none() {
        assert_eq!(all(b"Content-Length: 50\r\n\r\n{"), []);
        assert_eq!(all(b"Content-Le"), []);
    }
}

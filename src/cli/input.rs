//! Standard input of the filters, bounded.

use std::io::Read;

use super::Failure;

/// Most bytes that are read.
pub const LIMIT: u64 = 10 * 1024 * 1024;

/// The whole input. More than the limit, or bytes that are not UTF-8, are refused as a whole: half a reply could hold
/// half a verdict.
pub fn text(input: &mut dyn Read) -> Result<String, Failure> {
    let bytes = bytes(input)?.ok_or_else(too_long)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("the input is not UTF-8: byte {at} begins no character")
    })?;
    Ok(text)
}

/// The whole input, or `None` if it is longer than the limit.
pub fn bytes(input: &mut dyn Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let length = input.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok((length as u64 <= LIMIT).then_some(bytes))
}

fn too_long() -> String {
    format!("the input is longer than {LIMIT} bytes; hand over the reply alone, not the whole log")
}

//! recipelint: does any decision in this recipe rest on an agent's prose?

pub mod syntax;
pub mod text;

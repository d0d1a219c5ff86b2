//! Configuration: `recipelint.yaml` or `.recipelint.yaml`, nearest one up to the repository's root, with `extends`.

mod explain;
mod load;
mod resolve;
mod review;
#[cfg(test)]
mod tests;
mod types;

pub use explain::explain;
pub use load::{ConfigError, Layer};
pub use resolve::{Chain, Choice, NAMES, Resolver};
pub use review::review;
pub use types::{Config, HelperConfig, OneOrMore, Override, StageConfig, TokenConfig, VocabularyConfig, schema};

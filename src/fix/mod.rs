//! Mending findings: which fixes go together, what the text is afterwards, and whether only that changed what should.
//! Nothing here reads or writes files; the caller checks the result again ([`crate::workspace::mend`]).

mod apply;
mod verify;

pub use apply::{Round, apply, select};
pub use verify::{Refusal, improved, intended};

use crate::lints::{Finding, Fix, Safety};

/// Which fixes may be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// Those that keep the meaning.
    #[default]
    Safe,
    /// Proposals too.
    Suggested,
}

impl Policy {
    /// The finding's fix, if this policy allows it.
    pub fn allows(self, finding: &Finding) -> Option<&Fix> {
        let fix = finding.fix.as_ref()?;
        (self == Self::Suggested || fix.safety == Safety::Safe).then_some(fix)
    }
}

//! What a test leads to: choices, decisions and the effects of their branches.

use std::sync::Arc;

use super::place::Place;

/// A chain of tests on one subject.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How it is written.
    pub form: ChoiceForm,
    /// The arms in order.
    pub arms: Vec<Arm>,
    /// What happens when no arm matches: the effect of `*)` or `else`; `None` where it is missing.
    pub otherwise: Option<(Effect, Place)>,
    /// What follows the chain in its list (what a missing catch-all falls into).
    pub after: Effect,
    /// The arms, by number, in which a command of the last branch stands as well.
    pub alike: Vec<usize>,
}

/// Forms of choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceForm {
    /// `case`
    Case,
    /// `if`
    If,
}

/// One arm.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The tokens it accepts, where all are known; globs as written.
    pub tokens: Vec<Arc<str>>,
    /// The test is an inequality.
    pub negated: bool,
    /// What it does.
    pub effect: Effect,
    /// Its place: the patterns or the test.
    pub place: Place,
}

/// What a list of commands does, as far as gates care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Effect {
    /// It prints to the terminal, a log or stderr, or does nothing.
    pub prints: bool,
    /// It ends with failure: `exit 1`, `return 1`, `false`.
    pub stops: bool,
    /// It ends with success: `exit 0`, `return 0`, `true`, `break` or `continue` of a loop that goes on.
    pub passes: bool,
    /// It goes on with the next round of a loop, or behind it: `continue`, `break`.
    pub again: bool,
    /// It runs a program that does something, or calls a function that does.
    pub acts: bool,
    /// It sets variables or prints to the standard output of a step or substitution: what that does shows later.
    pub sets: bool,
}

impl Effect {
    /// Nothing but printing.
    pub fn only_prints(self) -> bool {
        !self.stops && !self.passes && !self.acts && !self.sets
    }

    /// Both one after the other.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            prints: self.prints || next.prints,
            stops: self.stops || next.stops,
            passes: self.passes || next.passes,
            again: self.again || next.again,
            acts: self.acts || next.acts,
            sets: self.sets || next.sets,
        }
    }
}

/// A decision. One whose effects only print (both of them) decides nothing, except for [`DecisionForm::Exit`].
#[derive(Clone, Debug)]
pub struct Decision {
    /// How it is written.
    pub form: DecisionForm,
    /// What happens when the tested value is true.
    pub when_true: Effect,
    /// What happens when it is false.
    pub when_false: Effect,
}

/// Forms of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionForm {
    /// `if`, `elif`
    If,
    /// `while`, `until`
    While,
    /// `&&`, `||`
    AndOr,
    /// `case`
    Case,
    /// The exit status of a script or `exit "$x"`, also by `set -e`.
    Exit,
    /// A step's or job's condition.
    Guard,
    /// JavaScript `if`, `?:`, `switch`, `core.setFailed`
    Program,
}

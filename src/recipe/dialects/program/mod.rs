//! TypeScript and JavaScript that calls Sandcastle or Outpost: every call becomes a [`Contract`]. What depends on
//! something that only shows at run time is [`Known::Unknown`] and never a guess.

mod api;
mod options;
mod outpost;
mod sandcastle;
mod zod;

use super::Lowered;
use crate::recipe::{Base, Contract, ContractText, Dialect, Known, Mention, MentionKind, Recipe};
use crate::syntax::typescript::{self, Expression, ExpressionKind, Grammar, Visit, walk};
use crate::text::{Source, Span, Spanned};

pub use api::{Api, Apis, Package};
pub(super) use sandcastle::WITHOUT_SESSIONS;

/// Lowers a program. A text that does not parse has one error; the calls that could be read are there all the same.
pub fn lower(source: &Source) -> Lowered {
    let program = typescript::parse(&source.text, Grammar::of(&source.path));
    let apis = Apis::new(&program);
    let mut recipe = Recipe::empty(Dialect::Program);
    let mut calls = Vec::new();
    walk(&program, &mut |visit| {
        if let Visit::Expression(expression @ Expression { kind: ExpressionKind::Call { .. }, .. }) = visit {
            calls.push(expression);
        }
    });
    let mut sandcastle = sandcastle::Reader::new(&apis);
    for call in calls {
        sandcastle.call(call, &mut recipe);
        outpost::call(&apis, call, &mut recipe);
    }
    recipe.mentions = mentions(&recipe.contracts);
    Lowered { yaml: None, recipe, errors: program.errors }
}

/// Prompt files as the working directory or a package's folder would have them, and the package's manifest.
fn mentions(contracts: &[Contract]) -> Vec<Mention> {
    let mut mentions: Vec<Mention> = Vec::new();
    let mut add = |mention: Mention| {
        if !mentions.iter().any(|known| known.path.value == mention.path.value && known.base == mention.base) {
            mentions.push(mention);
        }
    };
    for contract in contracts {
        if let Known::Known(prompt) = &contract.prompt
            && let ContractText::File(path) = &prompt.text
        {
            for base in [Base::Root, Base::Upward] {
                add(Mention { path: path.clone(), base, kind: MentionKind::Prompt });
            }
        }
        if contract.package.is_some() {
            for manifest in ["package.json", "package-lock.json"] {
                let path = Spanned::new(manifest.to_owned(), Span::at(0));
                add(Mention { path, base: Base::Upward, kind: MentionKind::Package });
            }
        }
    }
    mentions
}

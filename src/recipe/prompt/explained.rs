//! Lists of values that explain each of them: `"low" if nothing can break, "high" otherwise`, `(low = fine, high = stop)`.

use super::list::{List, Reader, is_value, same_form};
use super::tokens::{Kind, Token};
use crate::text::Spanned;

/// Words that begin an explanation.
const BEGIN: &[&str] = &["if", "when", "for", "where", "unless", "otherwise", "means", "meaning", "once", "only"];
/// Words between an explanation and the next value.
const BETWEEN: &[&str] = &["or", "else", "otherwise", "to", "set", "it", "use", "as"];
/// Pieces of one explanation.
const LONGEST: usize = 40;

impl<'a> Reader<'a> {
    /// The values that are explained one by one; `None` where the first one is not, or is the only one.
    pub(super) fn explained(&self) -> Option<List> {
        let bracket = self.previous_is("(");
        let mut at = self.at;
        let mut items: Vec<&Token<'a>> = Vec::new();
        let sign = self.found.get(at + 1).filter(|token| token.kind == Kind::Sign).map(|token| token.text);
        let sign = sign.filter(|sign| *sign == "=" || (*sign == ":" && bracket));
        loop {
            let value = self.found.get(at).filter(|token| self.is_explained(token, at, sign))?;
            items.push(value);
            match self.next_value(at + 1, bracket, sign) {
                Ok(next) => at = next,
                Err(end) => {
                    at = end;
                    break;
                }
            }
        }
        let bare: Vec<&str> = items.iter().filter(|token| token.kind == Kind::Word).map(|token| token.text).collect();
        let list = || items.iter().map(|token| Spanned::new(token.text.to_owned(), token.span)).collect();
        (items.len() > 1 && same_form(&bare)).then(|| List::Closed(list(), at))
    }

    /// A value in quotes, or one that a sign explains.
    fn is_explained(&self, token: &Token<'a>, at: usize, sign: Option<&str>) -> bool {
        let next = self.found.get(at + 1).map_or("", |token| token.text);
        let kind = token.kind == Kind::Quoted || (token.kind == Kind::Word && sign.is_some());
        kind && is_value(token.text)
            && match sign {
                Some(sign) => next == sign,
                // A name of the next field.
                None => !matches!(next, ":" | "("),
            }
    }

    /// The next value behind an explanation; else where the list ends.
    fn next_value(&self, from: usize, bracket: bool, sign: Option<&str>) -> Result<usize, usize> {
        let begins = self.found.get(from).is_some_and(|token| match token.kind {
            Kind::Word => sign.is_none() && BEGIN.contains(&&*token.lower()),
            Kind::Sign => sign == Some(token.text),
            _ => false,
        });
        if !begins {
            return Err(from);
        }
        for at in from + 1..from + LONGEST {
            let Some(token) = self.found.get(at) else { return Err(at) };
            match token.text {
                ")" if bracket => return Err(at),
                "." | ")" | "}" if token.kind == Kind::Sign => return Err(at),
                "," | ";" if token.kind == Kind::Sign => {
                    let mut next = at + 1;
                    while self
                        .found
                        .get(next)
                        .is_some_and(|token| token.kind == Kind::Break || BETWEEN.contains(&&*token.lower()))
                    {
                        next += 1;
                    }
                    if self.found.get(next).is_some_and(|token| self.is_explained(token, next, sign)) {
                        return Ok(next);
                    }
                }
                _ if token.kind == Kind::Break
                    && self.found.get(at + 1).is_none_or(|next| next.kind != Kind::Word || bracket) =>
                {
                    return Err(at);
                }
                _ => {}
            }
        }
        Err(from + LONGEST)
    }
}

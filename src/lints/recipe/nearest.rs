//! The name that was probably meant.

/// The known name that is most like `name`: a slip of the pen, not another word.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let wanted = plain(name);
    let length = wanted.chars().count();
    let allowed = match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    known
        .filter(|candidate| *candidate != name && candidate.len().abs_diff(name.len()) <= allowed)
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

//! Changed copies of a text that mean the same or nearly so: what people's editors and habits make of a recipe.

/// A generator of numbers with a fixed seed (xorshift).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// One to three changes of a text.
pub fn changed(path: &str, text: &str, dice: &mut Dice) -> String {
    if !path.ends_with(".yaml") && !path.ends_with(".yml") {
        return if dice.below(2) == 0 { text.replace('\n', "\r\n") } else { text.to_owned() };
    }
    let mut text = text.to_owned();
    let mut crlf = false;
    let mut bom = false;
    for _ in 0..=dice.below(3) {
        match dice.below(9) {
            0 => text = indented(&text),
            1 => crlf = true,
            2 => bom = true,
            3 => text = format!("# Größe 🧭: «läuft» — 測\n{text}"),
            4 => text = folded(&text),
            5 => text = quoted(&text, dice),
            6 => text = commented(&text, dice),
            7 => text = shuffled(&text, dice),
            _ => text = text.trim_end().to_owned(),
        }
    }
    if crlf {
        text = text.replace('\n', "\r\n");
    }
    if bom { format!("\u{feff}{text}") } else { text }
}

/// All indentation doubled.
fn indented(text: &str) -> String {
    each_line(text, |line| {
        let depth = line.len() - line.trim_start_matches(' ').len();
        format!("{}{line}", " ".repeat(depth))
    })
}

/// Literal blocks become folded ones; their lines run together, so scripts change.
fn folded(text: &str) -> String {
    each_line(text, |line| match line.strip_suffix(": |") {
        Some(key) => format!("{key}: >"),
        None => line.to_owned(),
    })
}

/// Plain one-line values of text keys are put in quotes of either kind.
fn quoted(text: &str, dice: &mut Dice) -> String {
    each_line(text, |line| {
        let (line, comment) = line.split_once(" #").map_or((line, String::new()), |(line, c)| (line, format!(" #{c}")));
        let Some((key, value)) = line.split_once(": ") else { return format!("{line}{comment}") };
        let named = ["command", "prompt", "condition", "output", "run"]
            .contains(&key.trim_start_matches([' ', '-']).trim_end());
        let plain = value.chars().next().is_some_and(char::is_alphabetic);
        if !named || !plain {
            return format!("{line}{comment}");
        }
        if dice.below(2) == 0 {
            format!("{key}: \"{}\"{comment}", value.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            format!("{key}: '{}'{comment}", value.replace('\'', "''"))
        }
    })
}

/// A comment behind the ids of steps, and one at the end.
fn commented(text: &str, dice: &mut Dice) -> String {
    let mut number = 0;
    let text = each_line(text, |line| {
        let id = line.trim_start().starts_with("- id: ") || line.trim_start().starts_with("output: ");
        if !id || dice.below(2) == 0 || line.contains('#') {
            return line.to_owned();
        }
        number += 1;
        format!("{line}  # remark {number}: ändert nichts")
    });
    format!("{text}# the end\n")
}

/// The blocks that begin with `- id:` at the first such indentation, in another order.
fn shuffled(text: &str, dice: &mut Dice) -> String {
    let Some(first) = text.lines().find(|line| line.trim_start().starts_with("- id: ")) else { return text.to_owned() };
    let depth = first.len() - first.trim_start().len();
    let mut head = String::new();
    let mut blocks: Vec<String> = Vec::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let at = line.len() - line.trim_start().len();
        if line.trim_start().starts_with("- id: ") && at == depth {
            blocks.push(line.to_owned());
        } else if let Some(block) = blocks.last_mut() {
            if at < depth + 1 && !line.trim().is_empty() {
                let rest: String = std::iter::once(line).chain(lines.by_ref()).collect();
                return format!("{head}{}{rest}", mixed(blocks, dice));
            }
            block.push_str(line);
        } else {
            head.push_str(line);
        }
    }
    format!("{head}{}", mixed(blocks, dice))
}

fn mixed(mut blocks: Vec<String>, dice: &mut Dice) -> String {
    for at in (1..blocks.len()).rev() {
        blocks.swap(at, dice.below(at + 1));
    }
    for block in &mut blocks {
        if !block.ends_with('\n') {
            block.push('\n');
        }
    }
    blocks.concat()
}

fn each_line(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

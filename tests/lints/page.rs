//! Reading a page: its head, its sections, the workspaces in its fences.

use super::workspace::Workspace;

/// Headings that every page has, in this order.
pub const HEADINGS: [&str; 5] = ["Why", "Bad", "Good", "How to fix", "When to allow"];

/// A page in parts.
#[derive(Debug)]
pub struct Page {
    pub head: Vec<(String, String)>,
    pub title: String,
    pub sections: Vec<(String, String)>,
}

impl Page {
    pub fn read(text: &str) -> Self {
        let rest = text.strip_prefix("---\n").expect("a page begins with its head");
        let (head, body) = rest.split_once("\n---\n").expect("the head ends with ---");
        let head = head
            .lines()
            .map(|line| {
                let (key, value) = line.split_once(':').expect("key: value");
                (key.trim().to_owned(), value.trim().to_owned())
            })
            .collect();
        let mut title = String::new();
        let mut sections: Vec<(String, String)> = Vec::new();
        let mut fence: Option<String> = None;
        for line in body.lines() {
            let ticks: String = line.chars().take_while(|c| *c == '`').collect();
            if ticks.len() >= 3 {
                match &fence {
                    None => fence = Some(ticks.clone()),
                    Some(open) if ticks.len() >= open.len() && line.trim_end() == ticks => fence = None,
                    Some(_) => {}
                }
            }
            if fence.is_none() {
                if title.is_empty()
                    && let Some(name) = line.strip_prefix("# ")
                {
                    name.trim().clone_into(&mut title);
                    continue;
                }
                if let Some(name) = line.strip_prefix("## ") {
                    sections.push((name.trim().to_owned(), String::new()));
                    continue;
                }
            }
            if let Some((_, text)) = sections.last_mut() {
                text.push_str(line);
                text.push('\n');
            }
        }
        Self { head, title, sections }
    }

    pub fn head(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub fn section(&self, name: &str) -> &str {
        self.sections.iter().find(|(title, _)| title == name).map_or("", |(_, text)| text)
    }

    /// The workspaces of a section. Named fences that follow each other without a word between them form one; a fence
    /// without a name is a recipe of its own.
    pub fn workspaces(&self, section: &str) -> Vec<Workspace> {
        let mut workspaces: Vec<Workspace> = Vec::new();
        let mut goes_on = false;
        let mut lines = self.section(section).lines();
        while let Some(line) = lines.next() {
            let ticks: String = line.chars().take_while(|c| *c == '`').collect();
            if ticks.len() < 3 {
                goes_on = goes_on && line.trim().is_empty();
                continue;
            }
            let mut text = String::new();
            for line in lines.by_ref() {
                if line.trim_end() == ticks {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            let mut info = line[ticks.len()..].split_whitespace();
            let language = info.next().unwrap_or_default().to_owned();
            match info.next() {
                Some(path) => {
                    let taken = |workspace: &Workspace| workspace.files.iter().any(|(known, _)| known == path);
                    if !goes_on || workspaces.last().is_none_or(taken) {
                        workspaces.push(Workspace::default());
                    }
                    workspaces.last_mut().unwrap().files.push((path.to_owned(), text));
                    goes_on = true;
                }
                None if language == "yaml" => {
                    workspaces.push(Workspace { files: vec![("recipe.yaml".to_owned(), text)] });
                    goes_on = false;
                }
                None => goes_on = false,
            }
        }
        workspaces
    }
}

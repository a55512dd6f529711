//! What the commands about the shell itself return, as text.

use std::fmt::Write as _;

use crate::engine::report::{
    Aliases, Expectation, Help, HelpFamily, HelpLine, HelpParam, Overview, Page, Version,
};

/// The width of running text.
const WIDTH: usize = 80;

pub(super) fn version(version: &Version) -> String {
    format!("{} {}", version.program, version.version)
}

pub(super) fn aliases(aliases: &Aliases) -> String {
    if aliases.aliases.is_empty() {
        return "no aliases".to_owned();
    }
    let line = |(name, body): (&String, &String)| {
        let several = body.contains([';', '\n', '#']);
        // A body with both kinds of quotes cannot be quoted back; it is shown as it is.
        let quote = match (several, body.contains('\''), body.contains('"')) {
            (true, false, _) => "'",
            (true, true, false) => "\"",
            _ => "",
        };
        format!("alias {name} = {quote}{body}{quote}")
    };
    aliases
        .aliases
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

pub(super) fn expectation(expectation: &Expectation) -> String {
    format!("ok: {}", expectation.expect)
}

pub(super) fn help(help: &Help) -> String {
    match help {
        Help::Overview(overview) => self::overview(overview),
        Help::Page(page) => self::page(page),
        Help::Markdown { markdown } => markdown.trim_end().to_owned(),
    }
}

fn overview(overview: &Overview) -> String {
    let names = overview.families.iter().flat_map(|family| &family.commands);
    let width = names.map(|line| line.name.len()).max().unwrap_or(0);
    let families: Vec<_> = overview
        .families
        .iter()
        .map(|family| group(family, width))
        .collect();
    format!(
        "{}\n\n`help COMMAND` shows arguments and examples.",
        families.join("\n\n")
    )
}

fn group(family: &HelpFamily, width: usize) -> String {
    let line = |line: &HelpLine| {
        let mut text = format!("  {:width$}  {}", line.name, line.summary);
        if !line.aliases.is_empty() {
            let _ = write!(text, " ({})", line.aliases.join(", "));
        }
        text
    };
    let lines: Vec<_> = family.commands.iter().map(line).collect();
    format!("{}\n{}", family.title, lines.join("\n"))
}

fn page(page: &Page) -> String {
    let mut text = format!("{}\n\n  {}", page.usage, page.summary);
    if !page.aliases.is_empty() {
        let _ = write!(text, "\n  also: {}", page.aliases.join(", "));
    }
    if !page.details.is_empty() {
        let _ = write!(text, "\n\n{}", wrap(page.details, 2));
    }
    if !page.params.is_empty() {
        let width = page
            .params
            .iter()
            .map(|param| param.written.chars().count())
            .max()
            .unwrap_or(0);
        let params: Vec<_> = page
            .params
            .iter()
            .map(|param| self::param(param, width))
            .collect();
        let _ = write!(text, "\n\n{}", params.join("\n"));
    }
    if !page.examples.is_empty() {
        let _ = write!(
            text,
            "\n\n  for example\n    {}",
            page.examples.join("\n    ")
        );
    }
    if !page.related.is_empty() {
        let _ = write!(text, "\n\n  see also {}", page.related.join(", "));
    }
    text
}

fn param(param: &HelpParam, width: usize) -> String {
    let optional = if param.required { "" } else { " (optional)" };
    let mut text = format!("  {:width$}  {}{optional}", param.written, param.help);
    for choice in param
        .choices
        .iter()
        .filter(|choice| !choice.help.is_empty())
    {
        let _ = write!(
            text,
            "\n  {:width$}    {}: {}",
            "", choice.value, choice.help
        );
    }
    text
}

/// Breaks running text into lines.
fn wrap(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && indent + line + 1 + word.chars().count() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let indent = " ".repeat(indent);
    let lines: Vec<_> = lines.iter().map(|line| format!("{indent}{line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_text_is_broken_between_words() {
        let text = "word ".repeat(40);
        let wrapped = wrap(&text, 2);
        assert!(
            wrapped
                .lines()
                .all(|line| line.len() <= WIDTH && line.starts_with("  word"))
        );
        assert_eq!(wrapped.split_whitespace().count(), 40);
    }

    #[test]
    fn aliases_are_shown_as_they_are_typed() {
        let entries = [
            ("a", "step 3"),
            ("b", "step; next"),
            ("c", "echo 'x'; next"),
        ];
        let aliases = entries.map(|(name, body)| (name.to_owned(), body.to_owned()));
        let text = super::aliases(&Aliases {
            aliases: aliases.into(),
        });
        assert_eq!(
            text,
            "alias a = step 3\nalias b = 'step; next'\nalias c = \"echo 'x'; next\""
        );
    }
}

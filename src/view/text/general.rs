//! What the commands about the shell itself return, as text.

use std::fmt::Write as _;

use super::layout::wrap;
use crate::engine::report::{
    Aliases, Expectation, Help, HelpFamily, HelpLine, HelpParam, Overview, Page, Version,
};

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
        let _ = write!(text, "\n\n{}", wrap("  ", page.details));
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

#[cfg(test)]
mod tests {
    use super::*;

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

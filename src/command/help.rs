//! Help from the command table.

use std::fmt::Write as _;

use super::{CommandTable, Family, Param, Spec, suggest};
use crate::engine::{
    game::Fault,
    reply::{
        Help, HelpChoice, HelpFamily, HelpLine, HelpPage, HelpParam, Overview, Replied, Reply,
        boxed,
    },
};

/// All commands, or those wanted, with a line each.
fn overview(table: &CommandTable, wanted: impl Fn(&'static Spec) -> bool) -> Overview {
    let line = |spec: &'static Spec| HelpLine {
        name: spec.name,
        aliases: &spec.aliases,
        summary: spec.summary,
    };
    let group = |family: &'static Family| HelpFamily {
        title: family.title,
        commands: family.commands.iter().filter(|spec| wanted(spec)).map(line).collect(),
    };
    let mut families: Vec<_> = table.families().iter().map(group).collect();
    families.retain(|family| !family.commands.is_empty());
    Overview { families }
}

/// Every command.
pub(super) fn all(table: &CommandTable) -> Box<dyn Reply> {
    boxed(Help::Overview(overview(table, |_| true)))
}

/// The commands whose names go on after these words.
pub(super) fn following(table: &CommandTable, words: &[&str]) -> Box<dyn Reply> {
    let following = table.following(words);
    let wanted = |spec: &Spec| following.iter().any(|other| std::ptr::eq(*other, spec));
    boxed(Help::Overview(overview(table, wanted)))
}

/// Help on a command, on all that begin so, or on all that mention a word.
pub(super) fn about(table: &CommandTable, words: &[&str]) -> Replied {
    if let Some((spec, length)) = table.exact(words)
        && length == words.len()
    {
        return Ok(boxed(Help::HelpPage(page(table, spec))));
    }
    if !table.following(words).is_empty() {
        return Ok(following(table, words));
    }
    let phrase = words.join(" ").to_lowercase();
    let mentions = |spec: &'static Spec| {
        let texts = spec.names().chain([spec.summary, &spec.details]);
        texts.into_iter().any(|text| text.to_lowercase().contains(&phrase))
    };
    let found = overview(table, mentions);
    if found.families.is_empty() {
        let names = table.names().map(|(name, _)| name);
        let hint = suggest::did_you_mean(&phrase, names);
        return Err(Fault::new(format!("there is no help on `{phrase}`"))
            .hint(hint.unwrap_or_else(|| "`help` lists the commands".to_owned())));
    }
    Ok(boxed(Help::Overview(found)))
}

fn page(table: &CommandTable, spec: &'static Spec) -> HelpPage {
    let words: Vec<_> = spec.name.split(' ').collect();
    HelpPage {
        name: spec.name,
        usage: spec.usage(),
        aliases: &spec.aliases,
        summary: spec.summary,
        details: &spec.details,
        params: spec.params.iter().map(param).collect(),
        examples: &spec.examples,
        related: table.following(&words).iter().map(|spec| spec.name).collect(),
    }
}

fn param(param: &Param) -> HelpParam {
    let choice = |choice: &super::Choice| HelpChoice { value: choice.name, help: choice.help };
    HelpParam {
        written: param.written(),
        required: param.required,
        help: param.help,
        choices: param.choices.iter().map(choice).collect(),
    }
}

/// The command table as a Markdown document's table: name and arguments, other names, summary.
pub fn markdown(table: &CommandTable) -> String {
    let mut text = String::new();
    for family in table.families() {
        let _ = writeln!(text, "### {}\n", family.title);
        text.push_str("| command | also | what it does |\n|---|---|---|\n");
        for spec in &family.commands {
            let aliases: Vec<_> = spec.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let usage = spec.usage().replace('|', "\\|");
            let summary = spec.summary.replace('|', "\\|");
            let _ = writeln!(text, "| `{usage}` | {} | {summary} |", aliases.join(", "));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

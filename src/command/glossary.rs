//! The glossary with terms, events and signs: Markdown lists, with the names in bold.

pub(super) const GLOSSARY: &str = include_str!("../../sessions/glossary.md");

/// The meaning of a kind of event: the first clause of its entry.
pub(super) fn event_meaning(kind: &str) -> Option<&'static str> {
    let (_, events) = GLOSSARY.split_once("\n## Events\n")?;
    let (_, entry) = events.split_once(&format!("\n- **{kind}**: "))?;
    entry.split([':', ';', '.', '\n']).next()
}

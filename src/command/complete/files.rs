//! Files whose paths begin as typed.

use std::fs;

use super::Candidate;

/// At most so many files are listed.
const MOST: usize = 200;

/// The files and folders; hidden ones only when the dot has been typed.
pub(super) fn matching(partial: &str, quoted: bool) -> Vec<Candidate> {
    let (folder, start) = match partial.rfind('/') {
        Some(slash) => partial.split_at(slash + 1),
        None => ("", partial),
    };
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let candidate = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let shown = name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'));
        let is_folder = entry.path().is_dir();
        shown.then(|| written(folder, &name, is_folder, quoted))
    };
    entries.flatten().filter_map(candidate).take(MOST).collect()
}

fn written(folder: &str, name: &str, is_folder: bool, quoted: bool) -> Candidate {
    let path = format!("{folder}{name}");
    let special = |c: char| c.is_whitespace() || "'\"#;()[]{}\\".contains(c);
    let quote = if quoted || path.contains(special) { "'" } else { "" };
    // A folder's quote stays open for what is in it.
    let (slash, end) = if is_folder { ("/", String::new()) } else { ("", format!("{quote} ")) };
    Candidate {
        display: format!("{name}{slash}"),
        replacement: format!("{quote}{path}{slash}{end}"),
    }
}

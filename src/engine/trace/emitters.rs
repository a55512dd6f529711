//! Files that write traces, to put into a program of one's own.

/// The languages, each with the name of its file and the file.
pub const LANGUAGES: [(&str, &str, &str); 5] = [
    ("c", "plytrace.h", include_str!("emitters/plytrace.h")),
    ("cpp", "plytrace.h", include_str!("emitters/plytrace.h")),
    ("python", "plytrace.py", include_str!("emitters/plytrace.py")),
    ("rust", "plytrace.rs", include_str!("emitters/plytrace.rs.txt")),
    ("java", "Plytrace.java", include_str!("emitters/Plytrace.java")),
];

/// The file for a language, with its name.
pub fn emitter(language: &str) -> Option<(&'static str, &'static str)> {
    LANGUAGES.iter().find(|(name, ..)| *name == language).map(|(_, file, text)| (*file, *text))
}

//! Charts that commands write to files besides.

use std::{ffi::OsStr, path::Path};

use super::Args;
use crate::{
    engine::{files, game::Fault, reply::Plot},
    picture,
};

/// The file that a flag names, which must end as the flag is called.
pub(super) fn file<'a>(args: &'a Args<'_>, flag: &str) -> Result<Option<&'a Path>, Fault> {
    let Some(file) = args.text(flag).map(Path::new) else {
        return Ok(None);
    };
    if file.extension() == Some(OsStr::new(flag)) || files::is_output(file) {
        return Ok(Some(file));
    }
    let fault = Fault::new(format!("`{}` does not end in .{flag}", file.display()));
    Err(args.blame(flag, fault.hint(format!("name a file that ends in .{flag}"))))
}

/// Writes charts as SVG, if a file is named for them; its name.
pub(super) fn save(
    args: &Args<'_>,
    file: Option<&Path>,
    plots: &[Plot],
) -> Result<Option<String>, Fault> {
    let Some(file) = file else {
        return Ok(None);
    };
    files::write_text(file, &picture::plot::svg(plots))
        .map_err(|fault| args.blame("svg", fault))?;
    Ok(Some(file.display().to_string()))
}

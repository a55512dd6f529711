//! Checks values against the kinds of the parameters.

use crate::{
    command::{Kind, Param, spec::Form, suggest},
    engine::game::{Fault, Score},
};

pub(super) fn value(param: &Param, text: &str) -> Result<(), Fault> {
    match param.kind {
        Kind::Range(least, most) => {
            count(text, [least, most]).map(drop).map_err(|fault| named(param, fault))
        }
        Kind::Score => text.parse::<Score>().map(drop),
        Kind::Choice => among(param, text, &param.choice_names()),
        Kind::File if text.is_empty() => Err(Fault::new("a file's name is never empty")),
        _ => Ok(()),
    }
}

/// Parses a whole number between two bounds, in which `_` may group digits.
pub(super) fn count(text: &str, bounds: [u64; 2]) -> Result<u64, Fault> {
    let [least, most] = bounds;
    let range = match most {
        u64::MAX => format!("from {least} to 2^64 - 1"),
        _ => format!("from {least} to {most}"),
    };
    let digits = text.replace('_', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (wrong, wanted) = match digits.parse() {
        Ok(number) if is_number && (least..=most).contains(&number) => return Ok(number),
        Ok(number) if is_number && number < least => ("is out of bounds", range),
        _ if is_number => ("is too large", range),
        _ if most == u64::MAX => ("is not a count", format!("{least} or more")),
        _ => ("is not a count", range),
    };
    Err(Fault::new(format!("`{text}` {wrong}")).hint(format!("write a whole number, {wanted}")))
}

fn named(param: &Param, mut fault: Fault) -> Fault {
    let name = match param.form {
        Form::Flag => format!("--{}", param.name),
        _ => param.name.to_owned(),
    };
    fault.message = format!("{name}: {}", fault.message);
    fault
}

fn among(param: &Param, text: &str, names: &[&str]) -> Result<(), Fault> {
    if names.contains(&text) {
        return Ok(());
    }
    let hint = suggest::did_you_mean(text, names.iter().copied())
        .unwrap_or_else(|| format!("it is {}", suggest::listed_with_or(names)));
    Err(Fault::new(format!("{} cannot be `{text}`", param.name)).hint(hint))
}

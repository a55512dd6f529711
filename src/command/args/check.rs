//! Whether a value is of its parameter's kind.

use crate::{
    command::{Kind, Param, spec::Form, suggest},
    engine::game::{Fault, Score},
};

/// Refuses a value that its parameter's kind cannot be.
pub(super) fn value(param: &Param, text: &str) -> Result<(), Fault> {
    match param.kind {
        Kind::Range(least, most) => range(text, least, most).map_err(|fault| named(param, fault)),
        Kind::Score => text.parse::<Score>().map(drop),
        Kind::Choice => among(param, text, &param.choice_names()),
        Kind::File if text.is_empty() => Err(Fault::new("a file's name is never empty")),
        _ => Ok(()),
    }
}

pub(super) fn count(text: &str) -> Result<u64, Fault> {
    let digits = text.replace('_', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(number) if is_number => Ok(number),
        Err(_) if is_number => Err(Fault::new(format!("{text} is too large"))),
        _ => Err(Fault::new(format!("`{text}` is not a count"))),
    }
}

fn range(text: &str, least: u64, most: u64) -> Result<(), Fault> {
    let fault = match count(text) {
        Ok(number) if (least..=most).contains(&number) => return Ok(()),
        Ok(number) => Fault::new(format!("{number} is out of bounds")),
        Err(fault) => fault,
    };
    Err(fault.hint(match most {
        u64::MAX => format!("write a whole number, {least} or more"),
        most => format!("write a whole number from {least} to {most}"),
    }))
}

/// Says which argument a bare number was for.
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
        .unwrap_or_else(|| format!("it is {}", suggest::one_of(names)));
    Err(Fault::new(format!("{} cannot be `{text}`", param.name)).hint(hint))
}

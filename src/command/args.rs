//! The arguments of one command, checked against its parameters.

mod check;
mod read;

use std::{borrow::Cow, ffi::OsStr, ops::Range, path::Path, str::FromStr};

use super::{CommandSpec, Culprit, Fault, Form, Param, Replied, Reply, boxed, files, lexer::Word};

/// The arguments given to a command, checked against the kinds of their parameters.
#[derive(Debug)]
pub struct Args<'a> {
    spec: &'static CommandSpec,
    source: &'a str,
    given: Vec<Given<'a>>,
    rest: &'a [Word<'a>],
}

#[derive(Debug)]
struct Given<'a> {
    param: &'static Param,
    /// The key of a pair or the flag, as typed; for any other argument the name of its parameter.
    key: &'a str,
    text: Cow<'a, str>,
    span: Range<usize>,
}

impl<'a> Args<'a> {
    /// The command that the arguments belong to.
    pub fn spec(&self) -> &'static CommandSpec {
        self.spec
    }

    /// Whether the command was given `--json`.
    pub fn json(&self) -> bool {
        !self.lacks("json")
    }

    /// Whether there is any argument besides `--json`.
    pub fn any(&self) -> bool {
        self.given.iter().any(|given| given.param.name != "json")
    }

    /// The text that is being executed. The places of faults are byte ranges of it.
    pub fn source(&self) -> &'a str {
        self.source
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &Given<'a>> {
        debug_assert!(
            self.spec.params.iter().any(|param| param.name == name),
            "`{}` has a parameter {name}",
            self.spec.name
        );
        self.given.iter().filter(move |given| given.param.name == name)
    }

    fn given(&self, name: &str) -> Option<&Given<'a>> {
        self.all(name).next()
    }

    /// Whether a parameter was given a value, or a flag was given.
    pub fn has(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// The value of a parameter as text; `None` if it was not given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given(name).map(|given| given.text.as_ref())
    }

    /// The value of a required parameter. Errors: it was not given.
    pub fn required(&self, name: &str) -> Result<&str, Fault> {
        self.text(name).ok_or_else(|| {
            Fault::new(format!("`{}` needs {name}", self.spec.name))
                .hint(format!("usage: {}", self.spec.usage()))
        })
    }

    /// The values of a parameter that takes a list of words.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.all(name).map(|given| given.text.as_ref())
    }

    /// The value of a parameter as a path, relative to the current directory.
    pub fn path(&self, name: &str) -> Option<&Path> {
        self.text(name).map(Path::new)
    }

    /// The value of a required parameter as a path.
    pub fn file(&self, name: &str) -> Result<&Path, Fault> {
        self.required(name).map(Path::new)
    }

    /// The format among `formats` that the file's extension names; for standard output the first format.
    /// Errors: another extension.
    pub fn format<'f>(&self, name: &str, formats: &[&'f str]) -> Result<&'f str, Fault> {
        let file = self.file(name)?;
        let ending = file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let is_named = |format: &&&str| match &ending {
            Some(ending) => ending == **format,
            None => files::is_output(file),
        };
        formats.iter().find(is_named).copied().ok_or_else(|| {
            let endings: Vec<_> = formats.iter().map(|format| format!(".{format}")).collect();
            let fault =
                Fault::new(format!("`{}` has no ending that names a format", file.display()));
            let remedy = format!("name a file that ends in {}", endings.join(" or "));
            self.blame(name, fault.hint(remedy))
        })
    }

    /// The value of a parameter as a whole number. Errors: a number too large for `T`.
    pub fn count<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>, Fault> {
        let convert = |given: &Given<'_>| {
            let most = u64::MAX >> (u64::BITS - 8 * size_of::<T>() as u32);
            let number = check::count(&given.text, [0, most])?;
            T::try_from(number).map_err(|_| Fault::new(format!("{number} is too large")))
        };
        self.convert(name, convert)
    }

    /// The value of a parameter, read as a `T`; `None` if it is not given. Errors: a text that is no `T`.
    pub fn parsed<T: FromStr<Err = Fault>>(&self, name: &str) -> Result<Option<T>, Fault> {
        self.convert(name, |given| given.text.parse())
    }

    fn convert<T>(
        &self,
        name: &str,
        convert: impl Fn(&Given<'_>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let convert = |given| convert(given).map_err(|fault| locate(given, fault));
        self.given(name).map(convert).transpose()
    }

    /// All pairs of key and value, in the order in which they were typed.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let pairs = self.given.iter().filter(|given| given.param.form == Form::Pairs);
        pairs.map(|given| (given.key, &*given.text)).collect()
    }

    /// The words of a parameter that takes the rest of the statement.
    pub fn rest_words(&self) -> &'a [Word<'a>] {
        self.rest
    }

    /// Boxes a reply. A fault is placed at the argument of the parameter `name`, as by [`Self::blame`].
    pub fn reply<R: Reply>(&self, name: &str, result: Result<R, Fault>) -> Replied {
        result.map(boxed).map_err(|fault| self.blame(name, fault))
    }

    /// Gives a fault without a place that of the argument it names: a parameter or key, an element of a list, or a word.
    pub fn place(&self, fault: Fault) -> Fault {
        if let Some(Culprit::Word(key)) = &fault.culprit
            && let mut pairs = self.given.iter().filter(|given| given.param.form == Form::Pairs)
            && let Some(given) = pairs.find(|given| given.key == *key)
        {
            // A quoted pair is marked as a whole.
            let place = match given.span.start.checked_sub(key.len() + 1) {
                Some(start) if given.text.len() == given.span.len() => start..start + key.len(),
                _ => given.span.clone(),
            };
            return Fault { culprit: None, ..fault }.at(place);
        }
        let culprit = match &fault.culprit {
            Some(Culprit::Named(name)) => self.by_name(name),
            Some(Culprit::Nth(nth)) => {
                self.given.iter().filter(|given| given.param.form == Form::Many).nth(*nth)
            }
            Some(Culprit::Word(word)) if fault.at.is_none() => {
                self.given.iter().find(|given| given.text == *word)
            }
            _ => None,
        };
        culprit.map_or(fault.clone(), |given| locate(given, fault))
    }

    /// The place of a parameter's argument in the source; `None` if it is not given.
    pub fn span(&self, name: &str) -> Option<Range<usize>> {
        self.by_name(name).map(|given| given.span.clone())
    }

    pub(super) fn lacks(&self, name: &str) -> bool {
        self.by_name(name).is_none()
    }

    fn by_name(&self, name: &str) -> Option<&Given<'a>> {
        self.given.iter().find(|given| given.param.name == name || given.key == name)
    }

    /// Places a fault at the parameter, key or word that it names, else at the parameter `name`. A place within the argument stays.
    pub fn blame(&self, name: &str, fault: Fault) -> Fault {
        if matches!(&fault.culprit, Some(Culprit::Word(_))) && fault.at.is_none() {
            let placed = self.place(fault.clone());
            return if placed.at.is_some() {
                placed
            } else {
                self.blame(name, Fault { culprit: None, ..fault })
            };
        }
        let named = match &fault.culprit {
            Some(Culprit::Named(named)) => self.by_name(named),
            _ => None,
        };
        let culprit = named.or_else(|| self.by_name(name));
        culprit.map_or(fault.clone(), |given| locate(given, fault))
    }
}

/// Places a fault at an argument. A place within the argument is kept, counted from the start of the source.
fn locate(given: &Given<'_>, fault: Fault) -> Fault {
    // Places within a quoted argument are unknown, because its text lacks the quotes and escapes of the source.
    let as_written = given.text.len() == given.span.len();
    let start = given.span.start;
    let at = match &fault.at {
        Some(at) if as_written => start + at.start..start + at.end,
        _ => given.span.clone(),
    };
    Fault { culprit: None, ..fault }.at(at)
}

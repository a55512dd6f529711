//! Reading a file that may be damaged: what is sound, what is not, and where.

use std::path::Path;

use serde::Serialize;

use super::{
    CacheHeader, Format,
    detect::looks_native,
    native::{Codec, END_BYTES, Finding, Reader, Scanner, header_is_whole},
    seed::{self, Layout},
    source::fits,
    stream::{Damage, Trouble, Watch},
};
use crate::engine::{
    files,
    game::{Fault, Game, Keyed},
    memo::{Entry, Policy},
};

/// Damaged places that are named; more are counted.
const NAMED: usize = 20;

/// A damaged place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedPlace {
    /// The block (native) or record (seed formats) there, counted from 1 as in messages.
    pub number: u64,
    /// Where it begins in the file.
    pub offset: u64,
    /// How many bytes are lost.
    pub bytes: u64,
    /// What is wrong.
    pub reason: String,
}

/// What a file that may be damaged holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Its format.
    pub format: Format,
    /// What it states of itself; none in the seeds' formats or where that is damaged.
    pub header: Option<CacheHeader>,
    /// The memo policy of its records.
    pub policy: Policy,
    /// Sound records.
    pub records: u64,
    /// Sound blocks, where the format has blocks.
    pub blocks: u64,
    /// Records the file speaks of, if that can be known.
    pub promised: Option<u64>,
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many there are.
    pub damaged: u64,
    /// Length of the file.
    pub bytes: u64,
}

impl Survey {
    fn new(format: Format, policy: Policy, bytes: u64) -> Self {
        Self {
            format,
            header: None,
            policy,
            records: 0,
            blocks: 0,
            promised: None,
            damage: Vec::new(),
            damaged: 0,
            bytes,
        }
    }

    fn note(&mut self, number: u64, offset: u64, bytes: u64, reason: String) {
        self.damaged += 1;
        if self.damage.len() < NAMED {
            self.damage.push(DamagedPlace {
                number,
                offset,
                bytes,
                reason,
            });
        }
    }
}

/// How native files are damaged.
impl Survey {
    /// A record that cannot be read in a block whose check sum holds.
    fn note_record(&mut self, block: u32, offset: u64, index: usize, reason: &str) {
        let reason = format!("record {} of it: {reason}", index + 1);
        self.note(u64::from(block) + 1, offset, 0, reason);
    }

    /// Bytes that are no sound block; whether they are where the end mark should be.
    fn note_block(&mut self, block: u32, offset: u64, bytes: u64, reason: &str) -> bool {
        let ends = offset + bytes == self.bytes && bytes <= END_BYTES;
        let reason = if ends {
            "the end mark is damaged"
        } else {
            reason
        };
        self.note(u64::from(block) + 1, offset, bytes, reason.to_owned());
        ends
    }

    /// The end of the file, with the records its end mark speaks of. `named` says that damage there is noted already.
    fn note_end(&mut self, mark: Option<u64>, named: bool) {
        self.promised = mark.or(self.promised);
        if mark.is_none() && !named {
            let reason = "the file ends before its end mark".to_owned();
            self.note(self.blocks + 1, self.bytes, 0, reason);
        }
    }
}

/// What is done with a sound record.
pub(super) type Visit<'a, G> =
    dyn FnMut(Keyed<<G as Game>::Key>, Entry) -> Result<(), Trouble> + 'a;

/// A file to be surveyed, opened as far as it can be.
pub(super) struct Patient<'a, G> {
    game: &'a G,
    path: &'a Path,
    pub format: Format,
    pub policy: Policy,
    pub header: Option<CacheHeader>,
    bytes: u64,
    /// Native: where the blocks begin, what is wrong with the header, and the number of records it promises.
    start: u64,
    header_fault: Option<String>,
    promised: Option<u64>,
}

impl<'a, G: Game> Patient<'a, G> {
    /// Opens a file that may be damaged. Refuses whole files of another game or version.
    pub fn open(
        game: &'a G,
        path: &'a Path,
        format: Option<Format>,
        watch: &mut Watch,
    ) -> Result<Self, Fault> {
        let (_, bytes) = files::open(path)?;
        let native = match format {
            Some(format) => format == Format::Native,
            None => looks_native(path)?,
        };
        if native {
            return Self::native(game, path, bytes, watch).map_err(|trouble| trouble.fault(path));
        }
        let layout = match format.and_then(Format::layout) {
            Some(layout) => layout,
            None => likelier(game, path, watch)?,
        };
        Ok(Self {
            game,
            path,
            format: layout.format(),
            policy: layout.policy(),
            header: None,
            bytes,
            start: 0,
            header_fault: None,
            promised: None,
        })
    }

    fn native(game: &'a G, path: &'a Path, bytes: u64, watch: &mut Watch) -> Result<Self, Trouble> {
        let patient = |policy, header, start, header_fault, promised| Self {
            game,
            path,
            format: Format::Native,
            policy,
            header,
            bytes,
            start,
            header_fault,
            promised,
        };
        let (file, _) = files::open(path)?;
        match Reader::open(file) {
            Ok(reader) => {
                let (header, start) = (reader.header().clone(), reader.offset());
                fits::<G>(&header.header, header.key_bytes, None)?;
                let policy = header.header.policy;
                Ok(patient(
                    policy,
                    Some(header.header),
                    start,
                    None,
                    header.entries,
                ))
            }
            Err(Trouble::Damage(damage))
                if !damage.of_another_version || !header_is_whole(files::open(path)?.0)? =>
            {
                let policy = policy_of_blocks::<G>(path, bytes, watch)?;
                let policy = policy.ok_or_else(|| nothing_sound(&damage))?;
                Ok(patient(policy, None, 0, Some(damage.reason), None))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Reads the file to its end, handing sound records to `visit`.
    pub fn survey(&self, watch: &mut Watch, visit: &mut Visit<'_, G>) -> Result<Survey, Trouble> {
        match self.format.layout() {
            Some(layout) => self.survey_seed(layout, watch, visit),
            None => self.survey_native(watch, visit),
        }
    }

    fn survey_seed(
        &self,
        layout: Layout,
        watch: &mut Watch,
        visit: &mut Visit<'_, G>,
    ) -> Result<Survey, Trouble> {
        let mut survey = Survey::new(self.format, self.policy, self.bytes);
        survey.promised = Some(self.bytes.div_ceil(layout.bytes() as u64));
        let (mut file, _) = files::open(self.path)?;
        let mut records = 0;
        seed::salvage(
            self.game,
            layout,
            &mut file,
            self.bytes,
            watch,
            &mut |at, entry| {
                records += 1;
                visit(at, entry)
            },
            &mut |offset, bytes, reason| {
                let number = offset / layout.bytes() as u64 + 1;
                survey.note(number, offset, bytes as u64, reason);
            },
        )?;
        survey.records = records;
        Ok(survey)
    }

    fn survey_native(
        &self,
        watch: &mut Watch,
        visit: &mut Visit<'_, G>,
    ) -> Result<Survey, Trouble> {
        let mut survey = Survey::new(self.format, self.policy, self.bytes);
        survey.header.clone_from(&self.header);
        survey.promised = self.promised;
        let codec = codec::<G>(self.policy)?;
        let (file, length) = files::open(self.path)?;
        let mut scanner = Scanner::new(file, length, codec, self.start);
        let mut header_fault = self.header_fault.clone();
        let mut complete = false;
        loop {
            match scanner.next(watch)? {
                Finding::Block {
                    number,
                    offset,
                    records,
                } => {
                    survey.blocks += 1;
                    for (index, record) in records.chunks_exact(codec.record_bytes()).enumerate() {
                        match codec.decode(self.game, record) {
                            Ok((at, entry)) => {
                                survey.records += 1;
                                visit(at, entry)?;
                            }
                            Err(reason) => survey.note_record(number, offset, index, &reason),
                        }
                    }
                }
                Finding::Damage {
                    number,
                    offset,
                    bytes,
                    reason,
                } => match header_fault.take() {
                    Some(fault) => survey.note(0, offset, bytes, fault),
                    None => complete |= survey.note_block(number, offset, bytes, reason),
                },
                Finding::End(mark) => {
                    survey.note_end(mark.map(|(_, records)| records), complete);
                    return Ok(survey);
                }
            }
        }
    }
}

fn codec<G: Game>(policy: Policy) -> Result<Codec, Fault> {
    Codec::new(policy, G::KEY_BYTES).ok_or_else(|| {
        Fault::new(format!("the memo policy `{policy}` keeps no entries"))
            .hint("take the file from its source again")
    })
}

/// The policy whose records fill the first sound block, where the header does not tell.
fn policy_of_blocks<G: Game>(
    path: &Path,
    bytes: u64,
    watch: &mut Watch,
) -> Result<Option<Policy>, Trouble> {
    let mut first: Option<(u64, Policy)> = None;
    for policy in Policy::ALL {
        let Some(codec) = Codec::new(policy, G::KEY_BYTES) else {
            continue;
        };
        let (file, _) = files::open(path)?;
        let mut scanner = Scanner::new(file, bytes, codec, 0);
        loop {
            match scanner.next(watch)? {
                Finding::Damage { .. } => {}
                Finding::Block { offset, .. } => {
                    if first.is_none_or(|(known, _)| offset < known) {
                        first = Some((offset, policy));
                    }
                    break;
                }
                Finding::End(_) => break,
            }
        }
    }
    Ok(first.map(|(_, policy)| policy))
}

fn nothing_sound(damage: &Damage) -> Trouble {
    Trouble::Damage(Damage {
        reason: format!("{}; no block is sound either", damage.reason),
        hint: "take the file from its source again".to_owned(),
        of_another_version: false,
    })
}

/// The seed format of which more of the file reads well.
fn likelier<G: Game>(game: &G, path: &Path, watch: &mut Watch) -> Result<Layout, Fault> {
    let mut sound = |layout| {
        let (mut file, _) = files::open(path)?;
        seed::sound_bytes(game, layout, &mut file, watch).map_err(|trouble| trouble.fault(path))
    };
    let (search, rote) = (sound(Layout::Search)?, sound(Layout::Rote)?);
    if search == 0 && rote == 0 && files::open(path)?.1 > 0 {
        return Err(Fault::new(format!(
            "`{}` does not look like a cache file: no record in it can be read",
            path.display()
        ))
        .hint("give the name of a cache file"));
    }
    Ok(if rote > search {
        Layout::Rote
    } else {
        Layout::Search
    })
}

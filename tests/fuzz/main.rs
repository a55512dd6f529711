//! Every parser on its corpus and on mutations of it; see `sessions/fuzzing.md`.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod targets;

use std::{
    collections::BTreeSet,
    env, fs,
    panic::catch_unwind,
    path::Path,
    time::{Duration, Instant},
};

use plyscope::engine::random::{fingerprint, index_of, splitmix};
use targets::TARGETS;

/// Longest input in bytes. `fmt` panics on wider padding.
const LONGEST: usize = 1 << 16;
/// A multiple of the slowest parser's time for an input of that length.
const PATIENCE: Duration = Duration::from_secs(10);
/// Words that have broken parsers, separated by blanks.
const WORDS: &str =
    "18446744073709551616 -1 0 255 256 1e309 nan -inf \0 \u{1b}[2J é \u{202e} \r\n (((((((( \" '";

macro_rules! targets {
    ($($count:literal: $($name:ident)*;)*) => {
        $($(#[test]
        fn $name() {
            fuzz(stringify!($name), $count);
        })*)*

        #[test]
        fn every_target_is_run_here_and_built_for_coverage() {
            let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
            let run = BTreeSet::from([$($(stringify!($name)),*),*]);
            assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), run);
            let built: Vec<_> = include_str!("Cargo.toml")
                .lines()
                .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
                .collect();
            assert_eq!(built[1..], names);
        }
    };
}

// The number of mutations for each target: at most a quarter of a second of work.
targets! {
    20_000: morris_position fen tournament;
    2_000: pgn pgn_morris;
    1_000: command_line expect morris_moves chess_moves settings player round_log;
    100: keys expression session cache_native cache_seed journal training suite config trace;
}

/// Mutations of a session that is refused reach little of the code that reads sessions.
#[test]
fn sessions_of_the_corpus_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus/session");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 3);
    for file in files {
        let load = format!("session load '{}'", file.display());
        for outcome in plyscope::command::Shell::default().run_line(&load) {
            assert!(outcome.is_ok(), "{}: {outcome:?}", file.display());
        }
    }
}

/// Runs a target on its corpus, then on `mutations` mutations (the same in every run), or for the number of seconds in
/// `PLYSCOPE_FUZZ_SECONDS`.
fn fuzz(name: &str, count: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let files = fs::read_dir(folder.join(name)).expect("a corpus");
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let corpus: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    for bytes in &corpus {
        attempt(name, bytes);
    }
    for sign in b"([{-1\"\n\\" {
        attempt(name, &vec![*sign; LONGEST]);
    }
    let seconds = env::var("PLYSCOPE_FUZZ_SECONDS").ok().map(|text| text.parse().unwrap());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let mut mutator = Mutator::new(fingerprint(name), corpus);
    let mut inputs = 0;
    while end.map_or(inputs < count, |end| Instant::now() < end) {
        attempt(name, &mutator.input());
        inputs += 1;
    }
    println!("{name}: {inputs} mutations");
}

/// Runs a target on one input; an input that fails or takes too long is kept in a file.
fn attempt(name: &str, bytes: &[u8]) {
    let start = Instant::now();
    let done = catch_unwind(|| targets::run(name, bytes));
    let mut took = start.elapsed();
    if done.is_ok() && took > PATIENCE {
        // Other processes may have taken the time: measure processor time of a second run.
        let before = processor_time();
        targets::run(name, bytes);
        took = processor_time()
            .zip(before)
            .map_or(took, |(after, before)| after.saturating_sub(before));
    }
    if done.is_err() || took > PATIENCE {
        let file = env::temp_dir().join(format!("plyscope-fuzz-{name}"));
        fs::write(&file, bytes).unwrap();
        panic!("{name}: the input, which took {took:?}, is in {}", file.display());
    }
}

/// The processor time of this thread, on systems that report it.
fn processor_time() -> Option<Duration> {
    let times = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Mutates inputs of a corpus.
struct Mutator {
    seed: u64,
    corpus: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    fn new(seed: u64, corpus: Vec<Vec<u8>>) -> Self {
        let own = corpus.iter().flat_map(|bytes| bytes.split(|byte| !byte.is_ascii_alphanumeric()));
        let own = own.filter(|word| (1..40).contains(&word.len()));
        let mut words: Vec<_> =
            own.chain(WORDS.split(' ').map(str::as_bytes)).map(<[u8]>::to_vec).collect();
        words.sort();
        words.dedup();
        Self { seed, corpus, words }
    }

    fn below(&mut self, count: usize) -> usize {
        self.seed += 1;
        index_of(splitmix(self.seed), count)
    }

    fn input(&mut self) -> Vec<u8> {
        let chosen = self.below(self.corpus.len());
        let mut bytes = self.corpus[chosen].clone();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let from = self.below(bytes.len() + 1);
        let to = from + self.below((bytes.len() - from).min(40) + 1);
        match self.below(6) {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(from..to)),
            2 => {
                let bit = 1 << self.below(8);
                bytes.iter_mut().skip(from).take(1).for_each(|byte| *byte ^= bit);
            }
            3 => {
                let word = self.below(self.words.len());
                bytes.splice(from..to, self.words[word].iter().copied());
            }
            4 => {
                let other = self.below(self.corpus.len());
                let behind = self.below(self.corpus[other].len() + 1);
                bytes.truncate(from);
                bytes.extend_from_slice(&self.corpus[other][behind..]);
            }
            _ => {
                let piece = bytes[from..to].repeat(1 << self.below(8));
                bytes.splice(from..from, piece);
            }
        }
    }
}

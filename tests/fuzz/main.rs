//! Every parser on its corpus and on mutations of it, for a part of a second each: `sessions/fuzzing.md` tells more.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod targets;

use std::{
    env, fs,
    panic::catch_unwind,
    path::Path,
    time::{Duration, Instant},
};

use plyscope::engine::random::{fingerprint, index_of, splitmix};
use targets::TARGETS;

/// No input is longer. Formats in Rust have no width of so many columns: that has been a panic.
const LONGEST: usize = 1 << 16;
/// Far more than the slowest parser takes for so much on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// What readers trip over, between blanks.
const WORDS: &str =
    "18446744073709551616 -1 0 255 256 1e309 nan -inf \0 \u{1b}[2J é \u{202e} \r\n (((((((( \" '";

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            fuzz(stringify!($name));
        })*

        #[test]
        fn every_target_is_run_here_and_built_for_coverage() {
            let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            let built: Vec<_> = include_str!("Cargo.toml")
                .lines()
                .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
                .collect();
            assert_eq!(built[1..], names);
        }
    };
}

targets! {
    command_line expect morris_position fen morris_moves chess_moves pgn keys expression settings player session
    cache_native cache_seed journal tournament training round_log suite config trace
}

/// Runs a target on its corpus, then on mutations, the same ones in every run.
fn fuzz(name: &str) {
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
    let seconds = env::var("PLYSCOPE_FUZZ_SECONDS").map_or(0.5, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut mutator = Mutator::new(fingerprint(name), corpus);
    let mut inputs = 0;
    while Instant::now() < end {
        attempt(name, &mutator.input());
        inputs += 1;
    }
    println!("{name}: {inputs} mutations");
}

/// Runs a target on one input, which is kept if it fails or takes too long.
fn attempt(name: &str, bytes: &[u8]) {
    let start = Instant::now();
    let done = catch_unwind(|| targets::run(name, bytes));
    if done.is_err() || start.elapsed() > PATIENCE {
        let file = env::temp_dir().join(format!("plyscope-fuzz-{name}"));
        fs::write(&file, bytes).unwrap();
        let took = start.elapsed();
        panic!("{name}: the input, which took {took:?}, is in {}", file.display());
    }
}

/// Makes inputs of those of a corpus.
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

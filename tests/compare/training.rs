//! Rote training: equal to a plain program, also after interruptions, and its files.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
};

use crate::{answer, failure, folder::in_memory, timeless};
use plyscope::{
    command::Shell,
    engine::{
        arena::{Choice, Cost, DrawRules, GameSetup, Opening, play},
        cachefile::CACHE_MARKER,
        chess::Chess,
        game::{Game, KeyScheme, Score, Side},
        morris::Morris,
        random,
        search::Fidelity,
        session::{search::Run, training::TrainingReport},
        settings::Settings,
        training::{Shard, Training, TrainingSpec},
    },
};

fn trained(shell: &mut Shell, line: &str) -> TrainingReport {
    answer(shell, line).downcast_ref().cloned().unwrap()
}

fn files(document: &Path) -> [Vec<u8>; 2] {
    ["ron", "rote"].map(|ending| fs::read(document.with_extension(ending)).unwrap())
}

fn spec<G: Game>(game: &G, fidelity: Fidelity, depth: u8) -> TrainingSpec {
    let mut settings = Settings::default();
    settings.set("fidelity", fidelity.name()).unwrap();
    TrainingSpec {
        game: G::NAME.to_owned(),
        rules: Vec::new(),
        weights: game.default_weights(),
        draws: match fidelity {
            Fidelity::Seed => DrawRules::SEED,
            Fidelity::Sound => DrawRules::usual::<G>(),
        },
        settings: TrainingSpec::settings(&settings, depth),
        games: 1000,
        save_interval: 2,
        seed: 9,
        shard: Shard::WHOLE,
    }
}

/// Seed 001's training as a plain program, without alpha-beta and without the library's search.
struct Plain<G: Game> {
    game: G,
    spec: TrainingSpec,
    table: HashMap<G::Key, f64>,
    order: Vec<G::Key>,
    hits: u64,
}

impl<G: Game> Plain<G> {
    fn seed(&self) -> bool {
        self.spec.settings.fidelity == Fidelity::Seed
    }

    fn key(&self, position: &G::Position) -> (G::Key, f64) {
        let black = self.game.side(position) == Side::Black;
        let (scheme, sign) = if self.seed() {
            (KeyScheme::Colour, if black { -1.0 } else { 1.0 })
        } else {
            (KeyScheme::Canonical, 1.0)
        };
        (self.game.key(position, scheme), sign)
    }

    fn leaf(&mut self, position: &G::Position) -> f64 {
        let (key, sign) = self.key(position);
        let known = self.table.get(&key).copied();
        // Defect D3: a learned 0 counts as unknown.
        if let Some(value) = known.filter(|value| !(self.seed() && *value == 0.0)) {
            self.hits += 1;
            return sign * value;
        }
        let evaluator = self.game.evaluator(&self.spec.weights, position).unwrap();
        self.game.evaluate(&evaluator, position).get()
    }

    fn value(&mut self, position: &G::Position, depth: u8) -> f64 {
        let (mut moves, past) = (Vec::new(), G::History::default());
        let over = self.game.expand(position, &past, &mut moves);
        match over {
            // Defect D5: at depth 0 the heuristic comes before the end of the game.
            Some(value) if depth > 0 || !self.seed() => value.get(),
            _ if depth == 0 => self.leaf(position),
            _ => {
                let children = moves.iter().map(|&mv| self.game.apply(position, mv));
                let children: Vec<_> = children.collect();
                let values = children.iter().map(|child| -self.value(child, depth - 1));
                values.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    fn learn(&mut self, position: &G::Position, value: f64) {
        let positions =
            if self.seed() { self.game.orbit(position) } else { vec![position.clone()] };
        for symmetric in positions {
            let (key, sign) = self.key(&symmetric);
            if self.table.insert(key, sign * value).is_none() {
                self.order.push(key);
            }
        }
    }
}

impl<G: Game> Plain<G> {
    fn choose(&mut self, position: &G::Position, history: &G::History, number: u64) -> G::Move {
        let mut moves = Vec::new();
        self.game.expand(position, history, &mut moves);
        let depth = self.spec.settings.depth.unwrap() - 1;
        let mut values = Vec::new();
        for &mv in &moves {
            let child = self.game.apply(position, mv);
            values.push(-self.value(&child, depth));
        }
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.learn(position, best);
        let tied = moves.iter().zip(&values).filter(|(_, value)| **value == best);
        let tied: Vec<_> = tied.map(|(mv, _)| *mv).collect();
        tied[random::index_of(number, tied.len())]
    }
}

fn equals_the_plain_program(fidelity: Fidelity, depth: u8, games: u64) {
    let game = Morris::default();
    let spec = spec(&game, fidelity, depth);
    let mut training = Training::new(&game, spec.clone()).unwrap();
    let mut plain = Plain { game, table: HashMap::new(), order: Vec::new(), hits: 0, spec };
    for number in 0..games {
        training.play_one(&AtomicBool::new(false)).unwrap();
        let setup = GameSetup {
            game: &Morris::default(),
            rules: plain.spec.draws,
            opening: &Opening::of(&Morris::default()),
            seed: random::splitmix_all(&[9, number]),
        };
        let choose = |_, (position, history): (&_, &_), number| {
            Ok(Choice::Move(plain.choose(position, history, number), Cost::default()))
        };
        play(&setup, choose).unwrap().unwrap();
        let learned: Vec<_> = training.table().entries().iter().map(|(at, _)| at.key).collect();
        assert_eq!(learned, plain.order, "game {number}");
        for key in learned {
            assert_eq!(training.learned(key).map(Score::get), Some(plain.table[&key]));
        }
    }
    let total = training.total();
    assert_eq!((total.games, total.entries), (games, plain.order.len() as u64));
    assert!(plain.hits > 0);
    assert_eq!(total.white + total.black + total.draws, games);
    assert_eq!(training.document.blocks.len() as u64, games.div_ceil(2));
}

#[test]
fn sound_training_is_the_plain_program() {
    equals_the_plain_program(Fidelity::Sound, 1, 12);
    equals_the_plain_program(Fidelity::Sound, 2, 8);
    equals_the_plain_program(Fidelity::Sound, 3, 2);
}

#[test]
fn seed_training_is_the_plain_program_with_its_defects() {
    equals_the_plain_program(Fidelity::Seed, 1, 12);
    equals_the_plain_program(Fidelity::Seed, 2, 6);
    equals_the_plain_program(Fidelity::Seed, 3, 2);
}

#[test]
fn a_training_stopped_at_any_game_leads_to_the_same_files() {
    let folder = in_memory();
    for fidelity in ["sound", "seed"] {
        let whole = folder.path().join(format!("whole-{fidelity}.ron"));
        let options = format!("--save-interval 3 --depth 2 --random-seed 4 --fidelity {fidelity}");
        let mut shell = Shell::default();
        let line = format!("train run --out '{}' --games 8 {options}", whole.display());
        let report = trained(&mut shell, &line);
        assert!(report.done && report.blocks.len() == 3);
        for stop in 1..8 {
            let part = folder.path().join(format!("part-{fidelity}-{stop}.ron"));
            let line = format!("train run --out '{}' --games {stop} {options}", part.display());
            trained(&mut Shell::default(), &line);
            let line = format!("train resume '{}' --games 8", part.display());
            let resumed = trained(&mut Shell::default(), &line);
            assert_eq!(resumed.blocks, report.blocks, "stopped after {stop}");
            assert_eq!(files(&part), files(&whole), "stopped after {stop}");
        }
    }
}

#[test]
fn an_interrupt_stops_after_a_game_and_saves() {
    let folder = in_memory();
    let (stopped, whole) = (folder.path().join("stopped.ron"), folder.path().join("whole.ron"));
    let mut shell = Shell::default();
    let interrupt = shell.interrupt();
    let seen = folder.path().join("stopped.ron");
    let presser = std::thread::spawn(move || {
        let begun = |file: Vec<u8>| {
            let text = String::from_utf8_lossy(&file).into_owned();
            text.split("played: ").skip(1).any(|rest| !rest.starts_with('0'))
        };
        while !fs::read(&seen).is_ok_and(begun) {
            std::thread::yield_now();
        }
        interrupt.store(true, SeqCst);
    });
    let games = 100_000;
    let options = "--save-interval 2 --depth 3";
    let line = format!("train run --out '{}' --games {games} {options}", stopped.display());
    let report = trained(&mut shell, &line);
    presser.join().unwrap();
    assert!(report.interrupted && !report.done && report.played < games, "{}", report.played);
    shell.interrupt().store(false, SeqCst);
    let until = report.played + 3;
    // Interrupted, so that the test need not play all games.
    let file = fs::read(&stopped).unwrap();
    let all = format!("games: {games},");
    let (before, after) = file.split_at(at(&file, all.as_bytes()));
    let fewer = format!("games: {until},");
    fs::write(&stopped, [before, fewer.as_bytes(), &after[all.len()..]].concat()).unwrap();
    let resumed = trained(&mut shell, &format!("train resume '{}'", stopped.display()));
    assert!(resumed.done && !resumed.interrupted);
    let line = format!("train run --out '{}' --games {until} {options}", whole.display());
    trained(&mut shell, &line);
    assert_eq!(files(&stopped), files(&whole));
}

#[test]
fn a_trained_table_is_a_file_of_seed_001() {
    let folder = in_memory();
    for fidelity in ["sound", "seed"] {
        let out = folder.path().join(format!("{fidelity}.ron"));
        let line = format!(
            "train run --out '{}' --games 6 --depth 2 --fidelity {fidelity}",
            out.display()
        );
        let report = trained(&mut Shell::default(), &line);
        let rote = PathBuf::from(report.rote_file.unwrap());
        let bytes = fs::read(&rote).unwrap();
        assert_eq!(bytes.len() as u64, report.total.entries * 15);
        for format in ["", "--format seed-rote"] {
            let again = folder.path().join("again.rote");
            let mut shell = Shell::default();
            answer(&mut shell, "search set memo=rote");
            answer(&mut shell, &format!("search set fidelity={fidelity} keys=colour"));
            answer(&mut shell, &format!("cache load '{}' {format}", rote.display()));
            let line = format!("cache save '{}' --format seed-rote", again.display());
            answer(&mut shell, &line);
            assert_eq!(fs::read(&again).unwrap(), bytes, "{fidelity} {format}");
        }
        // The native format serves searches with the training's settings as it is.
        let mut shell = Shell::default();
        let line = format!(
            "search set memo=rote fidelity={fidelity} keys=colour depth=2 deepening=off; cache load '{}'; search run",
            report.file
        );
        let Some(run) = answer(&mut shell, &line).downcast_ref::<Run>().cloned() else {
            panic!("no run")
        };
        assert!(run.value.is_some());
    }
}

#[test]
fn shards_are_merged_by_the_mean_in_any_order() {
    let folder = in_memory();
    let at = |name: &str| folder.path().join(name);
    let mut shell = Shell::default();
    for part in 1..=3 {
        let out = at(&format!("{part}.ron"));
        let line = format!(
            "train run --out '{}' --games 7 --depth 1 --save-interval 2 --shard {part}/3",
            out.display()
        );
        let report = trained(&mut shell, &line);
        assert_eq!(report.played, if part == 1 { 3 } else { 2 });
    }
    let merge = |shell: &mut Shell, order: [u8; 3], out: &str| {
        let parts = order.map(|part| format!("'{}'", at(&format!("{part}.ron")).display()));
        let line = format!("train merge {} --out '{}'", parts.join(" "), at(out).display());
        trained(shell, &line)
    };
    let report = merge(&mut shell, [1, 2, 3], "a.ron");
    merge(&mut shell, [3, 1, 2], "b.ron");
    assert_eq!(files(&at("a.ron")), files(&at("b.ron")));
    assert_eq!((report.played, report.merged, report.done), (7, 3, true));
    let values = |name: &str| -> HashMap<Vec<u8>, f64> {
        let bytes = fs::read(at(name)).unwrap();
        let record = |record: &[u8]| {
            let value = f64::from_le_bytes(record[7..].try_into().unwrap());
            (record[..7].to_vec(), value)
        };
        bytes.chunks(15).map(record).collect()
    };
    let parts = [values("1.rote"), values("2.rote"), values("3.rote")];
    let whole = values("a.rote");
    let mut shared = 0;
    for (key, value) in &whole {
        let known: Vec<f64> = parts.iter().filter_map(|part| part.get(key).copied()).collect();
        shared += u32::from(known.len() > 1);
        assert_eq!(*value, known.iter().sum::<f64>() / known.len() as f64);
    }
    let keys: std::collections::HashSet<_> = parts.iter().flat_map(|part| part.keys()).collect();
    assert_eq!(keys.len(), whole.len());
    assert!(shared > 1, "{shared}");
    // A merged training can be resumed.
    let resumed =
        trained(&mut shell, &format!("train resume '{}' --games 9", at("a.ron").display()));
    assert_eq!(resumed.played, 9);
    for (parts, words) in [
        ("1.ron 2.ron", "3/3 is missing"),
        ("2.ron 3.ron", "1/3 is missing"),
        ("1.ron 1.ron 2.ron", "2/3 is missing"),
        ("1.ron a.ron 2.ron", ""),
    ] {
        let parts: Vec<_> =
            parts.split(' ').map(|part| format!("'{}'", at(part).display())).collect();
        let line = format!("train merge {} --out '{}'", parts.join(" "), at("c.ron").display());
        let failure = failure(&mut shell, &line);
        assert!(failure.fault.message.contains(words), "{line}: {}", failure.fault);
        assert!(!at("c.ron").exists());
    }
}

/// A document with the table of another save is refused, and so is a damaged table.
#[test]
fn a_table_of_another_save_is_refused() {
    let folder = in_memory();
    let out = folder.path().join("t.ron");
    let mut shell = Shell::default();
    trained(&mut shell, &format!("train run --out '{}' --games 3 --depth 1", out.display()));
    let [before, _] = files(&out);
    trained(&mut shell, &format!("train resume '{}' --games 6", out.display()));
    let [after, _] = files(&out);
    let parted = |file: &[u8]| {
        let (text, cache) = file.split_at(at(file, CACHE_MARKER.as_bytes()));
        (text.to_vec(), cache.to_vec())
    };
    let ((text, _), (_, cache)) = (parted(&before), parted(&after));
    let mut damaged = after.clone();
    let last = damaged.len() - 30;
    damaged[last] ^= 1;
    for (file, words) in [
        ([text, cache].concat(), "and was saved with"),
        (damaged, "its checksum is wrong"),
        (parted(&after).0, "the table is missing"),
    ] {
        fs::write(&out, file).unwrap();
        let failure = failure(&mut shell, &format!("train show '{}'", out.display()));
        assert!(failure.fault.message.contains(words), "{}", failure.fault);
    }
}

fn at(file: &[u8], what: &[u8]) -> usize {
    file.windows(what.len()).position(|part| part == what).unwrap()
}

#[test]
fn trained_plays_against_untrained() {
    let folder = in_memory();
    let out = folder.path().join("t.ron");
    let mut shell = Shell::default();
    shell.times = false;
    trained(&mut shell, &format!("train run --out '{}' --games 30 --depth 1", out.display()));
    let before = files(&out);
    let mut on = |workers: usize| {
        let line = format!(
            "tournament play \"trained: memo=rote depth=1 deepening=off cache_file={}\" \"untrained: memo=none depth=1 deepening=off\" \
             --games 10 --openings 4 --random-seed 3 --workers {workers}",
            out.display()
        );
        timeless(&*answer(&mut shell, &line))
    };
    let one = on(1);
    assert_eq!((&one, &one), (&on(2), &on(3)));
    assert_eq!(one["played"], 20);
    for row in one["standings"].as_array().unwrap() {
        assert!(row["cost"]["nodes_a_move"].as_f64() > Some(1.0));
    }
    assert_eq!(files(&out), before);
}

#[test]
fn the_chart_of_a_training() {
    let folder = in_memory();
    let at = |name: &str| folder.path().join(name);
    let line = format!(
        "train run --out '{}' --games 9 --save-interval 2 --depth 2",
        at("t.ron").display()
    );
    let mut shell = Shell::default();
    let report = trained(&mut shell, &line);
    answer(&mut shell, &format!("picture chart '{}'", at("t.svg").display()));
    let entries: Vec<u64> = report.blocks.iter().map(|block| block.entries).collect();
    assert!(entries.is_sorted());
    assert_eq!(entries.last(), Some(&report.total.entries));
    let svg = fs::read_to_string(at("t.svg")).unwrap();
    assert!(svg.contains("Learned values"));
}

#[test]
fn chess_is_trained_too() {
    let game = Chess::default();
    let mut spec = spec(&game, Fidelity::Sound, 1);
    spec.draws.max_turns = Some(60);
    let mut training = Training::new(&game, spec).unwrap();
    training.play_one(&AtomicBool::new(false)).unwrap();
    assert!(training.total().entries > 20);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = in_memory();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let mut shell = Shell::default();
    trained(&mut shell, &format!("train run --out '{}' --games 2 --depth 1", at("t.ron")));
    fs::write(folder.path().join("odd.ron"), "(version: 1, nonsense: 2)").unwrap();
    fs::write(folder.path().join("new.ron"), "(version: 99)").unwrap();
    let cases = [
        ("train run --games 3".to_owned(), "needs --out"),
        (format!("train run --out '{}'", at("t.ron")), "exists"),
        (format!("train run --out '{}'", at("t.txt")), "not the name of a training"),
        (format!("train run --out '{}'", at("none/t.ron")), "no directory"),
        (format!("train run --out '{}' --shard 3/2", at("u.ron")), "3/2"),
        (format!("train run --out '{}' --games 0", at("u.ron")), "out of bounds"),
        (format!("train resume '{}'", at("none.ron")), "no such file"),
        (format!("train resume '{}' --games 1", at("t.ron")), "are fewer"),
        (format!("train show '{}'", at("odd.ron")), "odd.ron: line 1"),
        (format!("train show '{}'", at("new.ron")), "version 99"),
        (format!("game chess; train resume '{}' --games 4", at("t.ron")), "game"),
    ];
    for (line, words) in cases {
        let failure = failure(&mut shell, &line);
        assert!(failure.fault.message.contains(words), "{line}: {}", failure.fault);
        assert!(failure.place.is_some(), "{line}");
        assert!(!Path::new(&at("u.ron")).exists());
    }
}

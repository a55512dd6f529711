//! Endgame tables: values against independent facts, a plain iteration and a plain search; files; interrupted builds.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use plyscope::engine::{
    cachefile::{Monitor, unmonitored},
    game::{Fault, KeyScheme, Outcome, Rules, Score, SearchRules, Side, TrueValue},
    morris::{DoubleMill, Flying, Morris, PointSet, Position, Setup},
    random::splitmix_all,
    tables::{
        BuildOptions, Solved, Store, Subspace, TableKind, best_line, build, move_values, needs,
        plan, position_at, probe, solve_placing, verify,
    },
};
use serde_json::Value;

const OPTIONS: BuildOptions =
    BuildOptions { kind: TableKind::Distance, memory: 1 << 30, threads: 2 };

fn subspace(text: &str) -> Subspace {
    text.parse().unwrap()
}

fn store(game: Morris, folder: &Path) -> Store {
    Store::new(&game, folder.to_owned()).unwrap()
}

/// Builds a subspace and returns the subspaces written.
fn built(store: &Store, target: &str, options: BuildOptions) -> Vec<Subspace> {
    let plan = plan(store, subspace(target), options).unwrap();
    let (written, interrupted) = unmonitored(|watch| build(store, &plan, watch, &|_| {})).unwrap();
    assert!(!interrupted);
    written.into_iter().map(|(header, _)| header.subspace).collect()
}

/// A folder with all tables up to four stones a side, built once.
pub static SHARED: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let written = built(&store(Morris::default(), folder.path()), "4-4", OPTIONS);
    assert_eq!(written, ["3-3", "4-3", "3-4", "4-4"].map(subspace));
    folder
});

pub fn shared() -> (Morris, Store) {
    let game = Morris::default();
    (game, store(game, SHARED.path()))
}

fn probed(game: Morris, store: &Store, state: &str) -> Option<TrueValue> {
    probe(&game, store, &state.parse().unwrap()).unwrap()
}

#[test]
fn counts_and_longest_endings_are_those_of_an_independent_solver() {
    let (_, store) = shared();
    let facts = include_str!("../data/morris-endgame-totals.tsv");
    let mut compared = 0;
    for line in facts.lines().skip(1) {
        let numbers: Vec<u64> = line.split('\t').map(|number| number.parse().unwrap()).collect();
        let name = format!("{}-{}", numbers[0], numbers[1]);
        let Ok(header) = store.header(subspace(&name)) else {
            continue;
        };
        let census = header.census;
        let (all, classes) = (census.positions, census.classes);
        let plies = |longest: Option<plyscope::engine::tables::Longest>| {
            longest.map_or(0, |longest| u64::from(longest.plies))
        };
        assert_eq!([all.total(), all.wins, all.draws, all.losses], numbers[2..6], "{name}");
        assert_eq!(
            [plies(census.longest_win), plies(census.longest_loss)],
            numbers[7..9],
            "{name}"
        );
        assert_eq!(
            [classes.total(), classes.wins, classes.draws, classes.losses],
            numbers[9..13],
            "{name}"
        );
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn sampled_positions_have_the_values_of_an_independent_solver() {
    let (game, store) = shared();
    let mut decided = 0;
    for line in include_str!("../data/morris-endgames.jsonl").lines() {
        let fact: Value = serde_json::from_str(line).unwrap();
        let outcome = match fact["outcome"].as_str().unwrap() {
            "W" => Outcome::Win,
            "D" => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let plies = fact["plies"].as_u64().map(|plies| plies as u32);
        let value = probed(game, &store, fact["state"].as_str().unwrap());
        assert_eq!(value, Some(TrueValue { outcome, plies }), "{line}");
        decided += u32::from(outcome != Outcome::Draw);
    }
    assert!(decided > 100, "{decided}");
}

/// All positions with three stones a side and White to move, White's stones up to symmetry.
fn all_of_3_3(game: Morris) -> Vec<Position> {
    let sets = || (0..1_u32 << 24).filter(|set| set.count_ones() == 3);
    let position = |white: u32, black: u32| {
        let stones = [white, black].map(PointSet::from_bits);
        Setup { stones, hand: [0; 2], side: Side::White }.position().unwrap()
    };
    let blacks: Vec<_> = sets().collect();
    let is_least = |white: &u32| {
        let orbit = game.orbit(&position(*white, 0));
        orbit.iter().all(|image| image.stones(Side::White).bits() >= *white)
    };
    let with_black = |white: u32| {
        let apart = blacks.iter().filter(move |black| *black & white == 0);
        apart.map(move |black| position(white, *black)).collect::<Vec<_>>()
    };
    sets().filter(is_least).flat_map(with_black).collect()
}

/// Solves by the definition: again and again, every position whose successors decide it, until nothing changes.
#[test]
fn three_stones_a_side_agree_with_a_plain_iteration() {
    let (game, store) = shared();
    let positions = all_of_3_3(game);
    assert_eq!(positions.len(), 158 * 1330);
    let key = |position: &Position| game.key(position, KeyScheme::Canonical);
    let places: HashMap<_, _> =
        positions.iter().enumerate().map(|(place, position)| (key(position), place)).collect();
    let (mut values, mut left) = (vec![None; positions.len()], Vec::new());
    for (place, position) in positions.iter().enumerate() {
        let mut moves = Vec::new();
        assert_eq!(game.expand(position, &(), &mut moves), None);
        if moves.iter().any(|mv| mv.capture_count() > 0) {
            values[place] = Some(1);
            continue;
        }
        let next = moves.iter().map(|&mv| places[&key(&game.apply(position, mv))]);
        left.push((place, next.collect::<Vec<_>>()));
    }
    // Odd numbers of plies are wins.
    for plies in 2.. {
        let before = left.len();
        let mut found = Vec::new();
        left.retain(|(place, next)| {
            let decided = if plies % 2 == 0 {
                next.iter().all(|&next| values[next].is_some_and(|plies| plies % 2 == 1))
            } else {
                next.iter().any(|&next| values[next] == Some(plies - 1))
            };
            found.extend(decided.then_some(*place));
            !decided
        });
        for place in found {
            values[place] = Some(plies);
        }
        if left.len() == before && plies > 2 {
            break;
        }
    }
    for (position, plies) in positions.iter().zip(values) {
        let outcome = match plies {
            None => Outcome::Draw,
            Some(plies) if plies % 2 == 1 => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        let value = probe(&game, &store, position).unwrap();
        assert_eq!(value, Some(TrueValue { outcome, plies }), "{position}");
    }
}

/// Whether the side to move wins within so many plies, by a plain search.
fn wins(game: Morris, position: &Position, plies: u32) -> bool {
    let mut moves = Vec::new();
    if let Some(value) = game.expand(position, &(), &mut moves) {
        return value > Score::ZERO;
    }
    plies > 0 && moves.iter().any(|&mv| loses(game, &game.apply(position, mv), plies - 1))
}

fn loses(game: Morris, position: &Position, plies: u32) -> bool {
    let mut moves = Vec::new();
    if let Some(value) = game.expand(position, &(), &mut moves) {
        return value < Score::ZERO;
    }
    plies > 0 && moves.iter().all(|&mv| wins(game, &game.apply(position, mv), plies - 1))
}

#[test]
fn a_plain_search_finds_the_same_distances() {
    let (game, store) = shared();
    let mut searched = 0;
    for (name, most, step) in [("3-3", 3, 499), ("4-3", 4, 17), ("3-4", 3, 997), ("4-4", 9, 1)] {
        let name = subspace(name);
        let values = store.header(name).unwrap().values as u32;
        let mut found = 0;
        for index in (0..values).step_by(step) {
            let position = position_at(&game, &store, name, index).unwrap();
            let value = probe(&game, &store, &position).unwrap().unwrap();
            let Some(plies) = value.plies.filter(|plies| (2..=most).contains(plies)) else {
                continue;
            };
            let (is_won, is_lost) = (value.outcome == Outcome::Win, value.outcome == Outcome::Loss);
            assert_eq!(wins(game, &position, plies), is_won, "{position}");
            assert_eq!(loses(game, &position, plies), is_lost, "{position}");
            assert!(!wins(game, &position, plies - 1), "{position}");
            assert!(!loses(game, &position, plies - 1), "{position}");
            found += 1;
            if found == 12 {
                break;
            }
        }
        searched += found;
    }
    assert!(searched >= 24, "{searched}");
}

#[test]
fn every_value_follows_from_those_of_its_moves() {
    let (game, store) = shared();
    for (name, sample) in
        [("3-3", None), ("4-3", Some(20_000)), ("3-4", Some(20_000)), ("4-4", Some(20_000))]
    {
        let sample = sample.map(|positions| (positions, 1));
        let verified =
            unmonitored(|watch| verify(&game, &store, subspace(name), sample, 2, watch)).unwrap();
        assert_eq!((verified.wrong, verified.census_agrees), (0, true), "{name}");
        assert!(verified.first.is_none());
        assert!(verified.checked > 18_000, "{name}: {}", verified.checked);
    }
}

#[test]
fn the_best_line_has_the_length_of_its_value_and_moves_are_sorted() {
    let (game, store) = shared();
    for name in ["3-3", "4-3", "3-4", "4-4"].map(subspace) {
        let census = store.header(name).unwrap().census;
        for longest in [census.longest_win, census.longest_loss].into_iter().flatten() {
            let position = position_at(&game, &store, name, longest.index).unwrap();
            let line = best_line(&game, &store, &position).unwrap();
            assert_eq!(line.len(), longest.plies as usize, "{position}");
            let last = line.last().map_or(position, |(before, mv)| game.apply(before, *mv));
            assert!(game.terminal(&last, &()).is_some(), "{last}");
            let ranks = move_values(&game, &store, &position).unwrap();
            let ranks: Vec<_> = ranks.iter().map(|found| found.1.unwrap().rank()).collect();
            assert!(ranks.is_sorted_by(|one, next| one >= next), "{ranks:?}");
        }
    }
}

#[test]
fn positions_outside_the_tables_have_no_value() {
    let (game, store) = shared();
    let placing = game.start();
    assert_eq!(probe(&game, &store, &placing).unwrap(), None);
    let moves = move_values(&game, &store, &placing).unwrap();
    assert_eq!(moves.len(), 24);
    assert!(moves.iter().all(|found| found.1.is_none()));
    assert_eq!(probed(game, &store, "wwwbbb../w.....b./....b..w b 0 0"), None);
    // Over without a table: two stones, and no move.
    assert_eq!(probed(game, &store, "ww....../......../bbb..... w 0 0"), Some(TrueValue::LOST));
    assert_eq!(probed(game, &store, "wbwbwbwb/......../........ w 0 0"), Some(TrueValue::LOST));
}

#[test]
fn a_table_without_distances_has_the_same_outcomes() {
    let (game, distances) = shared();
    let folder = tempfile::tempdir().unwrap();
    let small = store(game, folder.path());
    let options = BuildOptions { kind: TableKind::Wdl, ..OPTIONS };
    assert_eq!(built(&small, "4-3", options).len(), 3);
    for name in ["3-3", "4-3", "3-4"].map(subspace) {
        let (one, other) = (small.header(name).unwrap(), distances.header(name).unwrap());
        assert_eq!(one.census.positions, other.census.positions);
        assert_eq!(one.census.longest_win, None);
        for index in (0..one.values as u32).step_by(101) {
            let position = position_at(&game, &small, name, index).unwrap();
            let [with, without] =
                [&distances, &small].map(|store| probe(&game, store, &position).unwrap().unwrap());
            assert_eq!(without.outcome, with.outcome, "{position}");
            assert!(without.plies.is_none_or(|plies| plies == 0), "{position}");
        }
    }
    let length = |store: &Store| fs::metadata(store.path(subspace("4-3"))).unwrap().len();
    assert!(length(&small) < length(&distances));
    let verified =
        unmonitored(|watch| verify(&game, &small, subspace("3-3"), None, 2, watch)).unwrap();
    assert_eq!((verified.wrong, verified.census_agrees), (0, true));
    // A later build with distances replaces them, one without keeps tables with distances.
    assert_eq!(built(&small, "3-3", OPTIONS), [subspace("3-3")]);
    assert!(built(&small, "3-3", options).is_empty());
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let game = Morris::default();
    let files = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let store = store(game, folder.path());
        built(&store, "3-3", BuildOptions { threads, ..OPTIONS });
        fs::read(store.path(subspace("3-3"))).unwrap()
    });
    assert!(files[0] == files[1]);
}

#[test]
fn an_interrupted_build_keeps_complete_tables_and_goes_on() {
    let game = Morris::default();
    let folder = tempfile::tempdir().unwrap();
    let store = store(game, folder.path());
    let first = store.path(subspace("3-3"));
    let interrupt = AtomicBool::new(false);
    let mut progress = |_, total| {
        assert!(total > 0);
        if first.exists() {
            interrupt.store(true, Relaxed);
        }
    };
    let mut monitor = Monitor { interrupt: &interrupt, progress: &mut progress };
    let steps = plan(&store, subspace("4-3"), OPTIONS).unwrap();
    assert!(steps.memory() > 0 && steps.disk() > 0 && steps.ms() > 0.0);
    let (written, interrupted) = build(&store, &steps, &mut monitor, &|_| {}).unwrap();
    assert!(interrupted);
    assert_eq!(written.len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let before = fs::read(&first).unwrap();
    assert_eq!(built(&store, "4-3", OPTIONS), ["4-3", "3-4"].map(subspace));
    assert!(fs::read(&first).unwrap() == before);
    assert!(built(&store, "3-4", OPTIONS).is_empty());
}

#[test]
fn a_build_that_needs_more_memory_than_allowed_writes_nothing() {
    let game = Morris::default();
    let folder = tempfile::tempdir().unwrap();
    let store = store(game, &folder.path().join("new"));
    let options = BuildOptions { memory: 1_000_000, ..OPTIONS };
    let steps = plan(&store, subspace("9-9"), options).unwrap();
    assert!(steps.memory() > 400_000_000, "{}", steps.memory());
    let fault = unmonitored(|watch| build(&store, &steps, watch, &|_| {})).unwrap_err();
    assert!(fault.message.contains("bytes of memory"), "{fault}");
    assert!(!store.folder().exists());
}

/// A folder with a copy of the table of 3-3, and the copy's path.
fn copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (_, from) = shared();
    let path = store(Morris::default(), folder.path()).path(subspace("3-3"));
    fs::copy(from.path(subspace("3-3")), &path).unwrap();
    (folder, path)
}

/// The fault of reading the whole table of 3-3 in a folder.
fn refusal(game: Morris, folder: &Path) -> Fault {
    let store = store(game, folder);
    unmonitored(|watch| verify(&game, &store, subspace("3-3"), Some((1, 1)), 1, watch)).unwrap_err()
}

#[test]
fn truncated_and_damaged_files_are_refused() {
    let game = Morris::default();
    let (folder, path) = copy();
    let whole = fs::read(&path).unwrap();
    let state = ".w..bb../...wb.../.....w.. w 0 0".parse().unwrap();
    let written = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        store(game, folder.path())
    };
    for length in 0..whole.len() {
        // A file that is cut off is refused when it is opened, before any value is read.
        if length < 3000 || length % 97 == 0 || whole.len() - length < 200 {
            let fault = probe(&game, &written(&whole[..length]), &state).unwrap_err();
            assert!(fault.message.contains("cannot be used"), "{length}: {fault}");
        }
    }
    let more = [&whole[..], b"x"].concat();
    assert!(probe(&game, &written(&more), &state).is_err());
    for at in (0..whole.len()).filter(|at| *at < 1000 || at % 4999 == 0) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        let store = written(&flipped);
        // Damage before the blocks is found at once, damage in a block when the block is read.
        let fault = if at < 1000 && store.header(subspace("3-3")).is_err() {
            store.header(subspace("3-3")).unwrap_err()
        } else {
            refusal(game, folder.path())
        };
        assert!(fault.message.contains("cannot be used"), "{at}: {fault}");
        assert!(fault.hint.is_some());
    }
    assert!(probe(&game, &written(&whole), &state).unwrap().is_some());
}

/// A change of the header, the format version, and words of the fault.
type Case = (fn(&mut Value), u8, &'static str);

/// Writes a file with a changed header, checksum included.
fn with_header(path: &Path, change: impl FnOnce(&mut Value), version: u8) {
    let old = fs::read(path).unwrap();
    let length = u32::from_le_bytes(old[12..16].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&old[16..16 + length]).unwrap();
    change(&mut header);
    let json = serde_json::to_vec(&header).unwrap();
    let mut new = old[..16].to_vec();
    new[8] = version;
    new[12..].copy_from_slice(&(json.len() as u32).to_le_bytes());
    new.extend(json);
    new.extend(crc32fast::hash(&new).to_le_bytes());
    new.extend(&old[16 + length + 4..]);
    fs::write(path, new).unwrap();
}

#[test]
fn files_of_other_rules_games_versions_and_subspaces_are_refused() {
    let (game, folder) = (Morris::default(), copy());
    let (folder, path) = (folder.0, folder.1);
    let sliding = Morris { flying: Flying::Off, ..game };
    // The file has its own name: the rules in force have another one.
    let fault = refusal(sliding, folder.path());
    assert!(fault.message.contains("flying=on") && fault.message.contains("flying=off"), "{fault}");
    // Renamed to the name that the rules in force have.
    fs::copy(&path, store(sliding, folder.path()).path(subspace("3-3"))).unwrap();
    let fault = refusal(sliding, folder.path());
    assert!(fault.message.contains("it holds for"), "{fault}");
    let cases: [Case; 4] = [
        (|header| header["game"] = "chess".into(), 1, "the game chess"),
        (|header| header["subspace"] = "3-4".into(), 1, "values"),
        (|_| {}, 2, "format version 2"),
        (|header| header["values"] = 7.into(), 1, "7 values"),
    ];
    let sound = fs::read(&path).unwrap();
    for (change, version, why) in cases {
        fs::write(&path, &sound).unwrap();
        with_header(&path, change, version);
        let fault = refusal(game, folder.path());
        assert!(fault.message.contains(why), "{fault}");
    }
}

#[test]
fn verification_finds_the_values_of_other_rules() {
    let game = Morris { flying: Flying::Off, ..Morris::default() };
    let (folder, path) = copy();
    let other = store(game, folder.path());
    fs::rename(path, other.path(subspace("3-3"))).unwrap();
    with_header(
        &other.path(subspace("3-3")),
        |header| header["rules"] = other.rules.clone().into(),
        1,
    );
    let verified =
        unmonitored(|watch| verify(&game, &other, subspace("3-3"), None, 2, watch)).unwrap();
    assert!(verified.census_agrees);
    assert!(verified.wrong > 100_000, "{}", verified.wrong);
    assert!(verified.first.is_some());
}

#[test]
fn without_flying_the_tables_follow_the_generator_too() {
    let game = Morris { flying: Flying::Off, ..Morris::default() };
    let folder = tempfile::tempdir().unwrap();
    let store = store(game, folder.path());
    built(&store, "3-3", OPTIONS);
    let verified =
        unmonitored(|watch| verify(&game, &store, subspace("3-3"), None, 2, watch)).unwrap();
    assert_eq!((verified.wrong, verified.census_agrees), (0, true));
    // White's row is blocked by three stones.
    assert_eq!(probed(game, &store, "wwwb...b/.b....../........ w 0 0"), Some(TrueValue::LOST));
}

#[test]
fn after_placing_no_move_closes_two_mills() {
    // So both rules about double mills have the same tables, up to the rules that their headers name.
    let (game, store) = shared();
    let mut moves = Vec::new();
    for name in ["3-3", "3-4", "4-3", "4-4"].map(subspace) {
        let values = store.header(name).unwrap().values as u32;
        for index in (0..values).step_by(307) {
            let position = position_at(&game, &store, name, index).unwrap();
            moves.clear();
            game.generate_moves(&position, &mut moves);
            assert!(moves.iter().all(|mv| mv.capture_count() < 2), "{position}");
        }
    }
}

const MEMORY: u64 = 1 << 26;

fn solved(game: Morris, store: &Store, position: &Position) -> Solved<Morris> {
    unmonitored(|watch| solve_placing(&game, store, position, 2, MEMORY, watch)).unwrap()
}

/// The outcome as 1, 0 or -1 by a plain search to the end of the placing phase.
fn plain_outcome(
    game: Morris,
    store: &Store,
    position: &Position,
    known: &mut HashMap<String, i8>,
) -> i8 {
    if let Some(value) = probe(&game, store, position).unwrap() {
        return value.sign() as i8;
    }
    let key = game.key(position, KeyScheme::Canonical).to_string();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut moves = Vec::new();
    game.generate_moves(position, &mut moves);
    let after = moves.iter().map(|&mv| -plain_outcome(game, store, &position.after(mv), known));
    // Without a move: the rules of the search say a draw.
    let value = after.max().unwrap_or(0);
    known.insert(key, value);
    value
}

/// Positions with up to four stones a side, one or two of them in hand.
fn placing_positions() -> impl Iterator<Item = Position> {
    let near = ["w 1 1", "w 2 1", "b 1 2", "w 2 2", "b 2 2"]
        .map(|hand| format!("w.w.b..b/......../........ {hand}").parse().unwrap());
    let random = (0..40).map(|seed| {
        let mut points: Vec<u32> = (0..24).collect();
        points.sort_by_key(|&point| splitmix_all(&[seed, point.into()]));
        let set = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
        let stones = [set(&points[..2]), set(&points[2..5])].map(PointSet::from_bits);
        Setup { stones, hand: [1, 1], side: Side::White }.position().unwrap()
    });
    random.chain(near)
}

#[test]
fn placing_phases_have_the_outcomes_of_a_plain_search() {
    let mut found = [0; 3];
    for double_mill in [DoubleMill::Two, DoubleMill::One] {
        let game = Morris { double_mill, ..Morris::default() };
        let folder = tempfile::tempdir().unwrap();
        let store = store(game, folder.path());
        built(&store, "4-4", OPTIONS);
        let mut known = HashMap::new();
        for position in placing_positions() {
            let value = plain_outcome(game, &store, &position, &mut known);
            let solved = solved(game, &store, &position);
            let place = usize::try_from(value + 1).unwrap();
            let expected = [Outcome::Loss, Outcome::Draw, Outcome::Win][place];
            assert_eq!(solved.bounds, [expected; 2], "{position}");
            found[place] += 1;
            // The line ends where a table says the same.
            let mut at = position;
            for (before, mv) in &solved.line {
                assert_eq!(at, *before);
                at = at.after(*mv);
            }
            let end = probe(&game, &store, &at).unwrap().unwrap();
            let sign = if game.side(&at) == game.side(&position) { value } else { -value };
            assert_eq!(end.sign() as i8, sign, "{position}");
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn proofs_are_kept_and_a_damaged_file_of_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (game, store) = (Morris::default(), store(Morris::default(), folder.path()));
    built(&store, "4-4", OPTIONS);
    let position = placing_positions().last().unwrap();
    let interrupt = AtomicBool::new(true);
    let mut watch = Monitor { interrupt: &interrupt, progress: &mut |_, _| {} };
    let stopped = solve_placing(&game, &store, &position, 1, MEMORY, &mut watch);
    assert!(stopped.unwrap_err().message.starts_with("interrupted"));
    let first = solved(game, &store, &position);
    assert!(first.nodes > 0 && first.bounds[0] == first.bounds[1], "{first:?}");
    let again = solved(game, &store, &position);
    assert_eq!((again.bounds, again.nodes), (first.bounds, 0));
    let paths = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut proofs = paths.filter(|path| path.extension().is_some_and(|end| end == "plyproofs"));
    let path = proofs.next().unwrap();
    let sound = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let fault = unmonitored(|watch| solve_placing(&game, &store, &position, 1, MEMORY, watch));
        let fault = fault.unwrap_err();
        assert!(fault.message.contains("is damaged, or is not a file of proofs"), "{fault}");
    };
    (0..sound.len().min(40)).for_each(|length| refused(&sound[..length]));
    for at in 0..sound.len().min(64) {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        refused(&bytes);
    }
}

#[test]
fn solving_says_how_much_memory_it_needs() {
    let (game, store) = shared();
    let position = placing_positions().last().unwrap();
    let (target, memory) = needs(&game, &position).unwrap();
    assert_eq!(target.to_string(), "4-4");
    let fault = unmonitored(|watch| solve_placing(&game, &store, &position, 1, 1000, watch));
    let fault = fault.unwrap_err();
    assert_eq!(
        fault.message,
        format!("{memory} bytes of memory are needed, only 1000 are allowed")
    );
    // Nine stones each, two bits a value.
    let (target, memory) = needs(&game, &game.start()).unwrap();
    assert_eq!((target.to_string().as_str(), memory / 100_000_000), ("9-9", 23));
}

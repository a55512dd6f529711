//! Probes of small tables, whole and damaged.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::{fs, path::Path};

use cozy_chess::{Board, Color, Piece};
use plyscope::engine::syzygy::{Syzygy, SyzygyError, Wdl};

pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn board(fen: &str) -> Board {
    Board::from_fen(fen, false).unwrap()
}

fn data() -> Syzygy {
    Syzygy::open(Path::new(DATA)).unwrap()
}

/// The positions with the values by python-chess.
fn positions() -> Vec<(Board, Option<Wdl>, Option<i32>)> {
    const WDL: [Wdl; 5] = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
    let lines = fs::read_to_string(Path::new(DATA).join("positions.jsonl")).unwrap();
    let read = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let wdl = line["wdl"].as_i64().map(|wdl| WDL[usize::try_from(wdl + 2).unwrap()]);
        (board(line["fen"].as_str().unwrap()), wdl, line["dtz"].as_i64().map(|dtz| dtz as i32))
    };
    lines.lines().map(read).collect()
}

#[test]
fn values_are_those_of_python_chess() {
    let tables = data();
    for (board, wdl, dtz) in positions() {
        assert_eq!(tables.wdl(&board), Ok(wdl), "{board}");
        assert_eq!(tables.dtz(&board), Ok(dtz), "{board}");
    }
}

#[test]
fn tables_are_listed_by_name() {
    let tables = data();
    let names: Vec<_> = tables.tables().collect();
    assert_eq!(
        names,
        ["KBvK", "KNvK", "KPvK", "KPvKP", "KQPvKP", "KQvK", "KQvKP", "KQvKQ", "KRvK", "KRvKB"]
    );
    assert_eq!(tables.most_pieces(), 5);
    let folder = tempfile::tempdir().unwrap();
    let empty = Syzygy::open(folder.path()).unwrap();
    assert_eq!((empty.most_pieces(), empty.tables().count()), (0, 0));
    for name in ["KQvK.rtbz", "QKvK.rtbw", "KvK.rtbw", "KQQQvKQQQ.rtbw", "KKvK.rtbw", "KQvK.txt"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let unused = Syzygy::open(folder.path()).unwrap();
    assert_eq!((unused.most_pieces(), unused.tables().count()), (0, 0));
    assert_ne!(unused.digest(), empty.digest());
    assert!(Syzygy::open(&folder.path().join("absent")).is_err());
}

#[test]
fn positions_without_a_table_have_no_value() {
    let tables = data();
    for fen in [
        "8/8/8/8/8/1k6/8/KB1N4 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        // adjacent kings, which the rules cannot reach
        "8/8/8/8/8/8/8/kKQ5 w - - 0 1",
    ] {
        assert_eq!(tables.wdl(&board(fen)), Ok(None), "{fen}");
        assert_eq!(tables.dtz(&board(fen)), Ok(None), "{fen}");
    }
    assert_eq!(tables.wdl(&board("8/8/8/8/8/1k6/8/K7 w - - 0 1")), Ok(Some(Wdl::Draw)));
}

#[test]
fn a_foreign_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("KQvK.rtbw", "KRvK.rtbw"),
        ("KQvK.rtbz", "KBvK.rtbw"),
        ("KQvK.rtbw", "KQvKB.rtbw"),
        ("KPvK.rtbw", "KQvKP.rtbw"),
        ("KQvKQ.rtbw", "KQvKR.rtbw"),
        ("positions.jsonl", "KNvK.rtbw"),
    ] {
        fs::copy(Path::new(DATA).join(from), folder.path().join(to)).unwrap();
    }
    std::os::unix::fs::symlink("nowhere", folder.path().join("KPvK.rtbw")).unwrap();
    let tables = Syzygy::open(folder.path()).unwrap();
    for (fen, reason) in [
        ("8/8/8/8/8/1k6/8/KR6 b - - 0 1", "KRvK.rtbw: a table of other pieces"),
        ("8/8/8/8/8/1k6/8/KB6 w - - 0 1", "KBvK.rtbw: not a .rtbw file"),
        ("8/8/8/6b1/8/1k6/8/K6Q w - - 0 1", "KQvKB.rtbw: a table of other pieces"),
        ("8/8/8/6p1/8/1k6/8/K6Q w - - 0 1", "KQvKP.rtbw: a table of other pieces"),
        ("8/8/8/7r/8/1k6/8/K5Q1 w - - 0 1", "KQvKR.rtbw: a table of other pieces"),
        ("8/8/8/8/8/1k6/8/KN6 w - - 0 1", "is not that of a table"),
        ("8/8/8/8/8/1k5P/8/K7 w - - 0 1", "KPvK.rtbw: No such file or directory"),
    ] {
        let error = tables.wdl(&board(fen)).expect_err(fen);
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// The names of a table that covers a position.
fn names(board: &Board) -> [String; 2] {
    let side = |color| {
        let pieces = Piece::ALL.into_iter().rev();
        let letters = pieces.map(|piece| {
            let count = board.colored_pieces(color, piece).len() as usize;
            piece.to_string().to_uppercase().repeat(count)
        });
        letters.collect::<String>()
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    [format!("{white}v{black}"), format!("{black}v{white}")]
}

/// Probes all positions that need a table alone, after a change of its file. Returns an error, if there was one.
fn probe_changed(folder: &Path, boards: &[Board], file: &str, bytes: &[u8]) -> Option<SyzygyError> {
    // a new file: some file systems flush a file that is cut to nothing and rewritten
    fs::remove_file(folder.join(file)).unwrap();
    fs::write(folder.join(file), bytes).unwrap();
    let tables = Syzygy::open(folder).unwrap();
    let probes = boards.iter().map(|board| {
        tables.wdl(board)?;
        tables.dtz(board)
    });
    probes.filter_map(Result::err).collect::<Vec<_>>().pop()
}

#[test]
fn a_damaged_file_is_an_error_or_a_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(DATA).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let positions = positions();
    let mut random = 88_172_645_463_325_252_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % below
    };
    let mut failed = 0;
    for name in ["KQvK", "KRvK", "KPvK", "KQvKQ", "KPvKP", "KRvKB"] {
        let boards = positions.iter().map(|(board, ..)| board.clone());
        let boards: Vec<_> =
            boards.filter(|board| names(board).contains(&name.into())).take(40).collect();
        for file in [format!("{name}.rtbw"), format!("{name}.rtbz")] {
            let Ok(bytes) = fs::read(folder.path().join(&file)) else { continue };
            // every byte of the header, and some of the rest
            for at in (0..bytes.len()).filter(|at| *at < 160 || *at % 97 == 0) {
                let mut changed = bytes.clone();
                changed[at] ^= [0xff, 1, 0x80, 1 << next(8)][next(4)];
                let error = probe_changed(folder.path(), &boards, &file, &changed);
                failed += usize::from(error.is_some());
            }
            for _ in 0..100 {
                let mut changed = bytes.clone();
                for _ in 0..=next(40) {
                    changed[5 + next(bytes.len().min(400) - 5)] = next(256) as u8;
                }
                let error = probe_changed(folder.path(), &boards, &file, &changed);
                failed += usize::from(error.is_some());
            }
            let opened = probe_changed(folder.path(), &boards, &file, &[]).is_some();
            assert!(opened, "{file}");
            for _ in 0..10 {
                let cut = next(bytes.len());
                // also a length as of a table
                for cut in [cut, cut / 64 * 64 + 16].into_iter().filter(|cut| *cut < bytes.len()) {
                    let error = probe_changed(folder.path(), &boards, &file, &bytes[..cut]);
                    assert_eq!(error.is_some(), opened, "{file} cut off after {cut} bytes");
                }
            }
            fs::write(folder.path().join(&file), &bytes).unwrap();
        }
    }
    assert!(failed > 500, "{failed} errors");
}

#[test]
fn probes_are_shared_by_threads() {
    let (tables, positions) = (data(), positions());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (board, wdl, _) in &positions {
                    assert_eq!(tables.wdl(board).unwrap(), *wdl);
                }
            });
        }
    });
}

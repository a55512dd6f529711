//! Boards, charts and trees for documents.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use plyscope::{
    command::Shell,
    engine::session::{
        explain::TreeExplained,
        explain::{CutBy, NodeExplained, NodeOutcome},
        plot::Plot,
        position::BoardReport,
        reply::{BoardKind, MoveText, Score, Side, Window},
    },
    picture::{
        Background, BoardCell, BoardScene, Canvas, NumberedMove, PIECE_SIZES, Paint, PieceCell,
        Role, Spacing, board_svg, board_text, piece,
        plot::{axis, svg},
        screen_text,
        tree::{dot, outline},
    },
};

/// How boards can be painted, and whether with block characters.
const PAINTS: [(Paint, bool); 5] = [
    (Paint::Plain, false),
    (Paint::Few, false),
    (Paint::Few, true),
    (Paint::Reverse, true),
    (Paint::Full, true),
];

const MILL: &str = "wwwb.b../.b....../.......w w 5 6";

fn board(state: &str) -> BoardReport {
    let statement = format!("position board {state}");
    Shell::default().look_up_as(&statement).unwrap()
}

#[test]
fn from_the_other_side_points_and_their_names_change_places() {
    let report = board(MILL);
    let scene = BoardScene::new(&report, true);
    let seen = |name: &str| {
        scene.place(report.board.points.iter().position(|point| point.name == name).unwrap())
    };
    assert_eq!((seen("a7"), seen("d1")), ((6, 6), (3, 0)));
    let (below, beside) = scene.labels();
    assert_eq!((below.concat(), beside.concat()), ("gfedcba".to_owned(), "1234567".to_owned()));
}

/// The king, or the stones, of the side that has lost; in a draw, nothing.
#[test]
fn the_side_that_has_lost_is_marked_in_every_size_and_in_svg() {
    let stalemate = "game chess; position set 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let morris = "game morris; position set ww.w..../......../bb...... b 0 0";
    for (game, sign, marks) in [
        ("game chess; play f3 e5 g4 Qh4", "#♔#", 1),
        ("game chess; play e4; game resign black", "#♚#", 1),
        (morris, "#○#", 2),
        (stalemate, "♚", 0),
    ] {
        let mut shell = Shell::default();
        assert!(shell.run_line(game).iter().all(Result::is_ok), "{game}");
        let report: BoardReport = shell.look_up_as("position board").unwrap();
        let (text, svg) = (board_text(&report, false), board_svg(&report));
        assert_eq!(text.matches(sign).count(), marks.max(1), "{text}");
        assert_eq!(text.contains('#'), marks > 0, "{text}");
        assert_eq!(svg.matches(r#"class="check""#).count(), marks, "{svg}");
        assert_eq!(svg.contains("rotate(90"), marks == 1, "{svg}");
        let scene = BoardScene::new(&report, false);
        for (paint, drawn) in PAINTS {
            for spacing in Spacing::all(report.board.kind, drawn) {
                let lines = Canvas::draw(&scene, spacing, paint).lines().concat();
                assert!(lines.matches('#').count() >= marks, "{game} {spacing:?}: {lines}");
                assert_eq!(lines.contains('#'), marks > 0, "{game} {spacing:?}: {lines}");
            }
        }
    }
}

/// A king that has lost is drawn lying, in every size with drawings.
#[test]
fn a_lying_king_looks_aside() {
    for size in PIECE_SIZES {
        let [standing, lying] = ['K', '+'].map(|king| silhouette(&dots(king, size)));
        assert_ne!(standing, lying, "{size:?}");
        let upside_down: Vec<_> = lying.iter().rev().cloned().collect();
        assert!(upside_down == lying, "{size:?}");
    }
}

#[test]
fn every_pitch_draws_within_its_size() {
    let report = board(MILL);
    let scene = BoardScene::new(&report, false);
    for (paint, drawn) in PAINTS {
        for pitch in Spacing::all(BoardKind::Lines, drawn) {
            let canvas = Canvas::draw(&scene, pitch, paint);
            let (width, height) = pitch.size(scene.size());
            assert_eq!(canvas.rows().count(), height);
            assert!(canvas.rows().all(|row| row.len() == width));
            for label in "abcdefg".chars() {
                assert!(canvas.lines()[height - 1].contains(label));
            }
        }
    }
    let usual = Spacing::usual(BoardKind::Lines);
    assert_eq!(Spacing::fitting(&scene, false, 31, 15), Some(usual));
    assert_eq!(Spacing::fitting(&scene, false, 15, 15), None);
}

/// The background of a move's sign does not extend into the next square.
#[test]
fn the_sign_of_a_move_stays_in_its_square() {
    let mut shell = Shell::default();
    shell.run_line("game chess; position set 8/8/8/8/4P3/8/8/K1k5 w").pop().unwrap().unwrap();
    let report: BoardReport = shell.look_up_as("position board").unwrap();
    let plain = BoardScene::new(&report, false);
    for name in ["e4", "e6"] {
        let point = report.board.points.iter().position(|point| point.name == name).unwrap();
        let mut marked = BoardScene::new(&report, false);
        marked.numbers.push(NumberedMove { point, sign: '*', by: None });
        for spacing in Spacing::all(BoardKind::Squares, true) {
            let [before, after] =
                [&plain, &marked].map(|scene| Canvas::draw(scene, spacing, Paint::Full));
            let cells = before.rows().flatten().zip(after.rows().flatten());
            let changed: Vec<_> = cells.filter(|(before, after)| before != after).collect();
            assert!(changed.iter().any(|(_, after)| after.sign == '*'), "{name} {spacing:?}");
            for (before, _) in changed {
                assert_ne!(before.background, Background::Dark, "{name} {spacing:?}");
            }
        }
    }
}

/// The line from one stone's middle to the next leaves both stones, so that no two stones look like one.
#[test]
fn stones_on_neighbouring_points_do_not_touch() {
    for (first, last) in [(Side::White, Side::White), (Side::White, Side::Black)] {
        let mut report = board(MILL);
        for (name, side) in [("d7", first), ("d6", last)] {
            let point = report.board.points.iter_mut().find(|point| point.name == name).unwrap();
            point.stone = Some(side);
        }
        let scene = BoardScene::new(&report, false);
        for spacing in Spacing::all(BoardKind::Lines, true) {
            let canvas = Canvas::draw(&scene, spacing, Paint::Full);
            let [(x, above), (_, below)] = [(3, 0), (3, 1)].map(|at| spacing.spot(at));
            let rows: Vec<_> = canvas.rows().collect();
            let is_whole = |y: usize| {
                let BoardCell { sign, role, background } = rows[y][x];
                matches!(background, Background::Stone(_)) && !matches!(role, Role::Ground(_))
                    || sign == '█' && matches!(role, Role::Stone(_))
            };
            assert!(spacing.y == 1 || !(above..=below).all(is_whole), "{spacing:?}");
        }
    }
}

#[test]
fn a_board_as_svg_is_whole_and_says_what_it_shows() {
    let report = board(MILL);
    let svg = board_svg(&report);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle class=\"stone").count(), 7);
    assert_eq!(svg.matches("class=\"mill white\"").count(), 2);
    assert!(svg.contains("White: a7 d7 g7 c4. Black: g4 d1 d6."), "{svg}");
}

#[test]
fn a_screen_becomes_text() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 14, 2));
    buffer.set_string(0, 0, "┌──┐ a<b 漢 c", Style::new());
    buffer.set_string(2, 1, "█▌ hot", Style::new().bold());
    assert_eq!(screen_text(&buffer), "┌──┐ a<b 漢 c\n  █▌ hot\n");
}

#[test]
fn charts_are_whole_and_nothing_breaks_out_of_its_quotes() {
    let lines = Plot::new("a < b", "x & y", "%")
        .with_series("first", [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)])
        .with_series("second", [(0.0, 2.0), (2.0, -2.0)]);
    let bars = Plot {
        places: vec!["one".to_owned(), "<two>".to_owned()],
        ..Plot::new("bars", "term", "%")
    };
    let bars = bars.with_series("only", [(0.0, 40.0), (1.0, 100.0)]);
    let svg = svg(&[lines, bars, Plot::new("empty", "x", "y")]);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    assert!(svg.contains("a &lt; b") && svg.contains("&lt;two&gt;"));
    assert_eq!(svg.matches("<rect class=\"f0\"").count(), 2);
    assert!(svg.contains("M0 104L320 0L640 52"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn axes_hold_their_intervals_between_even_round_marks() {
    assert_eq!(axis([60.7, 100.0], 3), ([60.0, 100.0], vec![60.0, 80.0, 100.0]));
    assert_eq!(axis([-0.56, 0.36], 5).1, [-0.6, -0.4, -0.2, 0.0, 0.2, 0.4]);
    assert_eq!(axis([0.0, 0.3], 3).1, [0.0, 0.1, 0.2, 0.3]);
    assert_eq!(axis([5.0, 5.0], 4).1, [5.0, 5.0]);
    for (least, most) in [(0.0, 1.0), (-3.0, 8.5), (0.001, 0.0042), (5e4, 9e5)] {
        for about in 1..8 {
            let ([down, up], ticks) = axis([least, most], about);
            assert!(down <= least + 1e-9 && up >= most - 1e-9, "{down} {up}");
            assert!(ticks.len() > 1 && ticks.len() <= 3 * about + 3, "{ticks:?}");
        }
    }
}

fn node(parent: Option<usize>, ply: u32, kind: NodeOutcome) -> NodeExplained {
    let by = CutBy { mv: MoveText::default(), value: Score::ZERO, beta: Score::ZERO };
    NodeExplained {
        moves: vec!["a\"1\\<".into(); usize::from(ply > 0)],
        window: Window { beta: Score::ONE, ..Window::INFINITE },
        value: Some(Score::ZERO),
        bound: Some("upper"),
        kind,
        cutoff: (ply == 1).then_some(by),
        best: ply == 1,
        parent,
        ply,
        ..NodeExplained::default()
    }
}

fn tree() -> TreeExplained {
    TreeExplained {
        depth: 3,
        replayed: 0,
        events: 0,
        nodes: vec![
            node(None, 0, NodeOutcome::Inner),
            node(Some(0), 1, NodeOutcome::Inner),
            node(Some(1), 2, NodeOutcome::Leaf),
            node(Some(1), 2, NodeOutcome::Hit),
            node(Some(0), 1, NodeOutcome::NotSearched),
        ],
        omitted: 7,
    }
}

#[test]
fn nothing_breaks_out_of_its_quotes() {
    let dot = dot(&tree());
    // The window is that of the mover, as the value is.
    assert!(dot.contains(r#"label="a\"1\\<  w ≤ 0\n[-1, +∞]"#), "{dot}");
    assert!(dot.contains("n1 -> n3") && dot.contains("7 more nodes"));
    assert_eq!(dot.matches("peripheries=2").count(), 2);
}

#[test]
fn an_outline_shows_children_below_their_parents() {
    let outline = outline(&tree());
    let lines: Vec<_> = outline.lines().collect();
    assert_eq!(lines[2], "  * a\"1\\<  w ≤ 0  [-1, +∞] cutoff");
    assert!(lines[3].starts_with("    a\"1") && lines[3].ends_with("leaf"));
    assert_eq!(lines[5..], ["  * 1 cut off  a\"1\\<", "7 more nodes"]);
}

/// A quarter of a cell of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dot {
    Square,
    Body,
    Detail,
}

/// The dots of a drawing, row by row.
fn dots(letter: char, square: (usize, usize)) -> Vec<Vec<Dot>> {
    const QUADRANTS: &str = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";
    let cells = piece(letter, square).unwrap();
    assert_eq!((cells[0].len(), cells.len()), square, "{letter}");
    let mut rows = vec![vec![Dot::Square; 2 * square.0]; 2 * square.1];
    for (y, row) in cells.iter().enumerate() {
        for (x, PieceCell { sign, is_detail }) in row.iter().enumerate() {
            let body = QUADRANTS.chars().position(|known| known == *sign).unwrap();
            for (bit, (right, down)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
                rows[2 * y + down][2 * x + right] = match (body >> bit & 1, is_detail) {
                    (1, _) => Dot::Body,
                    (_, true) => Dot::Detail,
                    _ => Dot::Square,
                };
            }
        }
    }
    rows
}

fn silhouette(rows: &[Vec<Dot>]) -> Vec<Vec<bool>> {
    let row = |row: &Vec<Dot>| row.iter().map(|dot| *dot != Dot::Square).collect();
    rows.iter().map(row).collect()
}

#[test]
fn a_drawn_piece_fills_its_square_with_the_colour_of_its_side() {
    for size in PIECE_SIZES {
        for letter in "KQRBNP+".chars() {
            let rows = dots(letter, size);
            let count = |wanted| rows.iter().flatten().filter(|dot| **dot == wanted).count();
            let (body, detail, area) = (count(Dot::Body), count(Dot::Detail), 4 * size.0 * size.1);
            assert!(body >= 4 * detail, "{letter} {size:?}: {body} and {detail} dots");
            // Small pawns stand out from the pieces and do not touch those in their file.
            let least = if size.1 < 4 && letter == 'P' { area / 6 } else { area / 4 };
            assert!(body >= least, "{letter} {size:?} fills {body} of {area} dots");
        }
    }
}

#[test]
fn drawn_pieces_differ_by_their_silhouettes() {
    for size in PIECE_SIZES {
        let forms: Vec<_> =
            "KQRBNP".chars().map(|letter| (letter, silhouette(&dots(letter, size)))).collect();
        for (at, (letter, form)) in forms.iter().enumerate() {
            let dots = |form: &Vec<Vec<bool>>| form.iter().flatten().filter(|dot| **dot).count();
            for (other, second) in &forms[at + 1..] {
                let pairs = form.iter().flatten().zip(second.iter().flatten());
                let distance = pairs.filter(|(one, other)| one != other).count();
                let whole = dots(form).max(dots(second));
                assert!(
                    6 * distance >= whole,
                    "{letter} and {other} {size:?}: {distance} of {whole} dots differ"
                );
            }
            let is_even = form.iter().all(|row| row.iter().eq(row.iter().rev()));
            // The knight looks aside; a coarse bishop has its slit as a gap.
            let is_coarse = *letter == 'B' && size.0 <= 6;
            assert_eq!(is_even, *letter != 'N' && !is_coarse, "{letter} {size:?}");
        }
    }
    assert_eq!(piece('K', (5, 2)), None, "too small");
    assert_eq!(piece('X', PIECE_SIZES[0]), None);
}

//! Boards, charts and trees for documents.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use plyscope::{
    command::Shell,
    engine::session::{
        explain::TreeExplained,
        explain::{CutBy, Fate, NodeExplained},
        plot::Plot,
        position::BoardReport,
        reply::{BoardKind, MoveText, Score, Side, Window},
    },
    picture::{
        BoardScene, Canvas, PIECE_SIZES, PieceCell, Pitch, board_svg, piece,
        plot::{axis, svg},
        screen_text,
        tree::{dot, outline},
    },
};

const MILL: &str = "wwwb.b../.b....../.......w w 5 6";

fn board(state: &str) -> BoardReport {
    let statement = format!("position board {state}");
    Shell::default().ask(&statement).unwrap()
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

#[test]
fn every_pitch_draws_within_its_size() {
    let report = board(MILL);
    let scene = BoardScene::new(&report, false);
    for painted in [false, true] {
        for pitch in Pitch::all(BoardKind::Lines, painted, true) {
            let canvas = Canvas::draw(&scene, pitch, painted);
            let (width, height) = pitch.size(scene.size());
            assert_eq!(canvas.rows().count(), height);
            assert!(canvas.rows().all(|row| row.len() == width));
            for label in "abcdefg".chars() {
                assert!(canvas.lines()[height - 1].contains(label));
            }
        }
    }
    let usual = Pitch::usual(BoardKind::Lines);
    assert_eq!(Pitch::fitting(&scene, false, true, 31, 15), Some(usual));
    assert_eq!(Pitch::fitting(&scene, false, true, 15, 15), None);
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
        .with("first", [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)])
        .with("second", [(0.0, 2.0), (2.0, -2.0)]);
    let bars = Plot {
        places: vec!["one".to_owned(), "<two>".to_owned()],
        ..Plot::new("bars", "term", "%")
    };
    let bars = bars.with("only", [(0.0, 40.0), (1.0, 100.0)]);
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

fn node(parent: Option<usize>, ply: u32, kind: Fate) -> NodeExplained {
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
            node(None, 0, Fate::Inner),
            node(Some(0), 1, Fate::Inner),
            node(Some(1), 2, Fate::Leaf),
            node(Some(1), 2, Fate::Hit),
            node(Some(0), 1, Fate::Spared),
        ],
        omitted: 7,
    }
}

#[test]
fn nothing_breaks_out_of_its_quotes() {
    let dot = dot(&tree());
    assert!(dot.contains(r#"label="a\"1\\<  w ≤ 0\n[−∞, +1]"#), "{dot}");
    assert!(dot.contains("n1 -> n3") && dot.contains("7 more nodes"));
    assert_eq!(dot.matches("peripheries=2").count(), 2);
}

#[test]
fn an_outline_shows_children_below_their_parents() {
    let outline = outline(&tree());
    let lines: Vec<_> = outline.lines().collect();
    assert_eq!(lines[2], "  * a\"1\\<  w ≤ 0  [−∞, +1] cutoff");
    assert!(lines[3].starts_with("    a\"1") && lines[3].ends_with("leaf"));
    assert_eq!(lines[5..], ["  * 1 cut off  a\"1\\<", "7 more nodes"]);
}

#[test]
fn a_drawn_piece_fills_its_square_and_whites_are_white() {
    for size in PIECE_SIZES {
        let mut seen = Vec::new();
        for letter in "KQRBNP".chars() {
            let white = |side| {
                let cells = piece(letter, side, size).unwrap();
                cells.iter().flatten().filter(|cell: &&PieceCell| cell.white).count()
            };
            assert!(white(Side::White) > white(Side::Black), "{letter} {size:?}");
            for side in Side::ALL {
                let cells = piece(letter, side, size).unwrap();
                assert_eq!((cells[0].len(), cells.len()), size, "{letter}");
                let inked = cells.iter().flatten().filter(|cell| cell.sign != ' ').count();
                assert!(inked >= size.1, "{letter} {size:?}");
                assert!(!seen.contains(&cells), "{letter} {size:?} is like another one");
                seen.push(cells);
            }
        }
    }
    assert_eq!(piece('K', Side::White, (5, 2)), None, "too small");
    assert_eq!(piece('X', Side::White, PIECE_SIZES[0]), None);
}

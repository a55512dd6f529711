use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{BoardScene, Canvas, Pitch, Rgb, Role, View, board_svg, screen_text};
use crate::{
    command::Shell,
    engine::reply::{BoardKind, BoardReport},
};

const MILL: &str = "wwwb.b../.b....../.......w w 5 6";

fn board(state: &str) -> BoardReport {
    let statement = format!("position board {state}");
    Shell::default().ask(&statement).unwrap()
}

fn seen(view: View, report: &BoardReport, name: &str) -> (usize, usize) {
    let points = &report.board.points;
    let at = points.iter().find(|point| point.name == name).unwrap();
    view.place(&report.board, (at.x, at.y))
}

#[test]
fn views_move_points_and_their_names_along() {
    let report = board(MILL);
    let mut view = View::default();
    view.turn(&report.board);
    assert_eq!(seen(view, &report, "a7"), (6, 0), "a quarter clockwise");
    assert_eq!(view.labels(&report.board).0.concat(), "1234567");
    assert_eq!(view.labels(&report.board).1.concat(), "abcdefg");
    view.flip(&report.board);
    assert_eq!(seen(view, &report, "a7"), (0, 0), "mirrored as it is seen");
    view.turn(&report.board);
    assert_eq!(seen(view, &report, "a7"), (6, 0), "clockwise in the mirror too");
}

#[test]
fn the_inner_ring_changes_places_with_the_outer_one() {
    let report = board(MILL);
    let mut view = View::default();
    view.exchange(&report.board);
    for (name, place) in [
        ("c5", (0, 0)),
        ("a7", (2, 2)),
        ("b6", (1, 1)),
        ("d3", (3, 6)),
        ("d1", (3, 4)),
        ("g4", (4, 3)),
    ] {
        assert_eq!(seen(view, &report, name), place, "{name}");
    }
    assert_eq!(view.labels(&report.board).0.concat(), "cbadgfe");
    view.exchange(&report.board);
    assert_eq!(view, View::default());
}

#[test]
fn eight_views_and_each_twice_show_every_point_once() {
    let report = board(MILL);
    let mut view = View::default();
    for step in 0..16 {
        let points = report.board.points.iter();
        let mut places: Vec<_> =
            points.map(|point| view.place(&report.board, (point.x, point.y))).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 24, "{view:?}");
        view.turn(&report.board);
        if step % 4 == 3 {
            view.flip(&report.board);
        }
        if step == 7 {
            view.exchange(&report.board);
        }
    }
}

#[test]
fn every_pitch_draws_within_its_size() {
    let report = board(MILL);
    let scene = BoardScene::new(&report, View::default());
    for pitch in Pitch::ALL {
        for ascii in [false, true] {
            let canvas = Canvas::draw(&scene, pitch, ascii);
            let (width, height) = pitch.size(scene.size());
            assert_eq!((canvas.width(), canvas.rows().count()), (width, height));
            let plain = canvas.rows().flatten().all(|(sign, _)| sign.is_ascii());
            assert!(plain || !ascii);
            let labels = canvas.rows().flatten().filter(|cell| cell.1 == Role::Label);
            assert_eq!(labels.count(), 14);
        }
    }
    assert_eq!(Pitch::fitting(BoardKind::Lines, (7, 7), 31, 15), Some(Pitch::COMPACT));
    assert_eq!(Pitch::fitting(BoardKind::Lines, (7, 7), 15, 15), None);
}

#[test]
fn a_board_as_svg_is_whole_and_says_what_it_shows() {
    let report = board(MILL);
    let svg = board_svg(&report, View::default());
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
fn the_nearest_colour_of_a_cube_colour_is_itself() {
    for index in 16..=231 {
        let rgb = Rgb::of_index(index);
        assert_eq!(Rgb::of_index(rgb.nearest_index()), rgb);
    }
}

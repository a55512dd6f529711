//! Text of numbers, paragraphs and tables.

use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use plyscope::{
    engine::game::Score,
    text::{
        date,
        layout::{WIDTH, beside, flow, grid, width, wrap},
        number::{
            bytes, count, distinct, exact, percent, rate, round_decimals, score, short, shows,
            time, window, window_words, worth,
        },
        stand_in,
        style::{Scale, Style, set_style, style},
        table::TextTable,
        visible, visible_json,
    },
};

/// What `write` gives with values on this scale.
fn on<T>(scale: Scale, write: impl FnOnce() -> T) -> T {
    let before = style();
    set_style(Style { scale, ..before });
    let written = write();
    set_style(before);
    written
}

const CHESS: Scale =
    Scale::Centipawns { mate: Some(99_999.0), threshold: 90_000.0, greatest: 99_999.0 };

#[test]
fn values_are_rounded_and_their_digits_read_back() {
    let values = [1.0, -0.25, 0.0, -0.0, 1.0 / 21.0, 0.999_999_9, -1e-12, 1e15, f64::INFINITY];
    let texts = values.map(score);
    let wanted = ["+1", "-0.25", "0", "0", "+0.048", "+1.000", "-0.000", "+1e15", "+∞"];
    assert_eq!(texts, wanted);
    assert_eq!(score(f64::NEG_INFINITY), "−∞");
    for value in [1.0 / 3.0, -2.0 / 7.0 * 1e-7, 1.5e-300, 1e300 / 3.0] {
        assert_eq!(exact(value).parse(), Ok(value));
    }
}

#[test]
fn values_of_morris_have_three_decimals_and_ends_have_names() {
    let written = on(Scale::Unit, || [1.0, -1.0, 0.999_999, 1.0 / 21.0, 0.0].map(score));
    assert_eq!(written, ["win", "loss", "+1.000", "+0.048", "0"]);
    assert_eq!(on(Scale::Unit, || [1.0, 0.25].map(worth)), ["a win", "+0.25"]);
    assert_eq!(on(Scale::Unit, || window([-1.0, 1.0], score)), ["−∞", "+∞"]);
    let scale = Scale::Distances { win: 2.0, ply: 0.001 };
    assert_eq!(scale.read_end("win in 5"), Some(2.0 - 0.001 * 5.0));
    assert_eq!(scale.read_end("loss in 4"), Some(0.001 * 4.0 - 2.0));
    assert_eq!([scale, Scale::Unit].map(|scale| scale.read_end("win in no")), [None; 2]);
    let alike = [0.1, 0.1_f64.next_up()];
    assert_eq!(on(Scale::Unit, || distinct(alike)), ["+0.1", "+0.10000000000000002"]);
}

#[test]
fn values_of_chess_are_pawns_and_mates_in_moves() {
    let values = [35.0, -105.0, 0.0, 99_998.0, 99_994.0, -99_997.0, -99_999.0];
    let wanted = ["+0.35", "-1.05", "0.00", "#1", "#3", "#-1", "#-0"];
    assert_eq!(on(CHESS, || values.map(score)), wanted);
    assert_eq!(on(CHESS, || [35.0, 35.5].map(exact)), ["+0.35", "+0.355"]);
    assert_eq!(on(CHESS, || window([-99_999.0, 35.0], score)), ["−∞", "+0.35"]);
    let scout = [35.0_f64.next_down(), 35.0];
    assert_eq!(on(CHESS, || window(scout, score)), ["<+0.35", "+0.35"]);
    let words = [scout, [35.0, 35.0_f64.next_up()], [-99_999.0, 35.0]];
    let wanted =
        ["zero window just below +0.35", "zero window just above +0.35", "window −∞ to +0.35"];
    assert_eq!(on(CHESS, || words.map(window_words)), wanted);
    let mated = [(-99_999.0_f64).next_down(), -99_999.0];
    assert_eq!(on(CHESS, || window(mated, score)), ["<#-0", "#-0"]);
    assert_eq!(on(CHESS, || window_words(mated)), "zero window at #-0 (mated)");
    assert_eq!(on(CHESS, || worth(-99_999.0)), "#-0 (mated)");
    assert_eq!(on(CHESS, || short(-12_340.0, 5)), "-123");
    assert_eq!(on(CHESS, || [shows(0.35, 35.0), shows(0.36, 35.0)]), [true, false]);
}

#[test]
fn values_of_traces_are_numbers_and_mates_in_moves() {
    let scale = Scale::Bounded { mate: Some(29_000.0), threshold: 28_000.0, greatest: 30_000.0 };
    let written = on(scale, || [35.0, 28_999.0, -28_996.0, -29_000.0].map(score));
    assert_eq!(written, ["+35", "#1", "#-2", "#-0"]);
    assert_eq!(scale.read_end("#1"), Some(28_999.0));
}

proptest! {
    #[test]
    fn the_ends_of_games_read_back(moves in 1_u16..400, won: bool) {
        let text = format!("#{}{moves}", if won { "" } else { "-" });
        let value = CHESS.read_end(&text).unwrap();
        prop_assert_eq!(CHESS.end(value), Some(text));
        prop_assert_eq!(value > 0.0, won);
    }
}

#[test]
fn values_of_chess_are_read_in_pawns_if_written_as_people_read_them() {
    let read =
        |text: &str| text.parse::<Score>().map(Score::get).map_err(|fault| fault.to_string());
    for (text, value) in [("+0.35", 35.0), ("-0.80", -80.0), ("+9.29", 929.0)] {
        assert_eq!(on(CHESS, || read(text)), Ok(value), "{text}");
        assert_eq!(on(CHESS, || score(value)), text);
    }
    let others =
        [("90", 90.0), ("0.5", 50.0), ("-1.5", -150.0), ("+0.355", 35.5), ("-1.5e2", -150.0)];
    for (text, value) in others {
        assert_eq!(on(CHESS, || read(text)), Ok(value), "{text}");
    }
    let fault = on(CHESS, || read("9,0")).unwrap_err();
    assert!(fault.starts_with("`9,0` is not a score"), "{fault}");
    assert!(fault.contains("35 (centipawns), +0.35 (pawns), #1 (a mate)"), "{fault}");
    assert_eq!(read("+9.0"), Ok(9.0), "in other games, values have no unit");
}

#[test]
fn percentages_are_rounded_to_0_and_100_only_if_exact() {
    let parts = [(0, 0), (0, 9), (1, 9999), (1, 3), (9998, 9999), (9, 9)];
    let texts = parts.map(|(part, whole)| percent(part, whole).unwrap_or_default());
    assert_eq!(texts, ["", "0 %", "<0.1 %", "33.3 %", ">99.9 %", "100 %"]);
}

#[test]
fn a_sentence_keeps_three_decimals() {
    let whole = "-0.047619 came back, stored was 0.25 (depth 0). See 76.12345.";
    let rounded = "-0.048 came back, stored was 0.25 (depth 0). See 76.123.";
    assert_eq!(round_decimals(whole), rounded);
}

#[test]
fn counts_are_grouped() {
    let texts = [0, 999, 1000, 184_302, 1_234_567].map(count);
    assert_eq!(texts, ["0", "999", "1,000", "184,302", "1,234,567"]);
}

#[test]
fn times_rates_and_sizes_keep_three_digits() {
    let times = [0.0, 0.1234, 9.999, 15.34, 999.7, 12_345.0, 125_000.0].map(time);
    let wanted = ["0 ms", "0.123 ms", "10.0 ms", "15.3 ms", "1.00 s", "12.3 s", "2 min 5 s"];
    assert_eq!(times, wanted);
    let rates = [12_100_000, 45].map(|nodes| rate(nodes, "nodes", Some(1000.0)));
    assert_eq!(rates, ["12.1 M nodes/s", "45.0 nodes/s"].map(|text| Some(text.to_owned())));
    assert_eq!(rate(5, "nodes", Some(0.0)), None);
    let sizes = [1, 312, 12_345, 1_999_900].map(bytes);
    assert_eq!(sizes, ["1 byte", "312 bytes", "12.3 kB", "2.00 MB"]);
}

#[test]
fn running_text_is_broken_between_words() {
    let wrapped = wrap("note: ", &"word ".repeat(40));
    assert!(wrapped.lines().all(|line| width(line) <= WIDTH));
    assert!(wrapped.lines().skip(1).all(|line| line.starts_with("      word")));
    assert_eq!(wrapped.split_whitespace().count(), 41);
}

#[test]
fn pieces_are_drawn_completely_if_they_fit() {
    let nodes = "nodes 24,999";
    let text = flow("pv ", ["x".repeat(66).as_str(), nodes, &"move ".repeat(20)]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("   nodes 24,999  move move"));
}

#[test]
fn a_grid_reads_down_its_columns() {
    let cells: Vec<_> = (0..20).map(|cell| format!("cell number {cell:2}")).collect();
    let text = grid(&cells);
    assert_eq!(text.lines().count(), 4);
    assert!(text.starts_with("cell number  0  cell number  4"));
    assert_eq!(grid(&[]), "");
}

#[test]
fn columns_that_do_not_fit_go_below() {
    let long = "l".repeat(76);
    let text = beside("ab\nabcd\n", ["x", long.as_str(), "y"]);
    assert_eq!(text, format!("ab     x\nabcd\n{long}\ny"));
}

#[test]
fn words_counts_and_decimals_are_formatted() {
    let table = TextTable::of([("a", 12, "+0.25"), ("long name", 3, "-1")])
        .left("name", |row| row.0)
        .right("n", |row| row.1)
        .right("silent", |_| "")
        .point("value", |row| row.2);
    assert_eq!(table.render(), "name        n  value\na          12  +0.25\nlong name   3  -1");
}

#[test]
fn a_wide_table_is_truncated_at_the_right() {
    let table = TextTable::of([(40, 60)])
        .left("a", |row| "x".repeat(row.0))
        .left("b", |row| "y".repeat(row.1));
    assert!(!table.fits());
    let text = table.render();
    assert!(text.lines().all(|line| width(line) <= WIDTH));
    assert!(text.ends_with("yyy…"));
}

#[test]
fn only_control_characters_are_escaped() {
    assert_eq!(visible("é\t中\n👩‍💻"), "é\t中\n👩‍💻");
    assert_eq!(
        visible("a\x1b[2J\u{7}\u{9b}\u{7f}\r\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}"),
        r"a\u{1b}[2J\u{7}\u{9b}\u{7f}\u{d}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}"
    );
    assert_eq!(visible_json("\"\u{9b}\u{202e}\""), r#""\u009b\u202e""#);
    assert_eq!(stand_in("a\x1b[m"), "a␦[m");
}

/// A printed duration reads back within half of its last unit: no carry between units is lost.
#[test]
fn a_duration_reads_back() {
    for ms in
        (0..4_000_000).step_by(137).map(f64::from).chain((0..5_000).map(|n| f64::from(n) * 0.37))
    {
        let text = time(ms);
        let words: Vec<_> = text.split(' ').collect();
        let number = |text: &str| text.parse::<f64>().unwrap();
        let (read, unit) = match words[..] {
            [number_of, "ms"] => (number(number_of), number(number_of).abs() / 100.0),
            [seconds, "s"] => (number(seconds) * 1e3, number(seconds) * 10.0),
            [minutes, "min", seconds, "s"] => {
                assert!(number(seconds) < 60.0, "{ms}: {text}");
                (number(minutes) * 6e4 + number(seconds) * 1e3, 1e3)
            }
            _ => panic!("{ms}: {text}"),
        };
        assert!((read - ms).abs() <= unit / 2.0 + 1e-9, "{ms}: {text}");
    }
    assert_eq!(
        [119_400.0, 119_600.0, 120_400.0].map(time),
        ["1 min 59 s", "2 min 0 s", "2 min 0 s"]
    );
}

#[test]
fn dates_are_those_of_the_calendar() {
    let day = |day: u64| date(UNIX_EPOCH + Duration::from_secs(day * 86_400));
    for (number, wanted) in [
        (0, "1970.01.01"),
        (59, "1970.03.01"),
        (11_016, "2000.02.29"),
        (11_017, "2000.03.01"),
        (20_782, "2026.11.25"),
        (47_540, "2100.02.28"),
        (47_541, "2100.03.01"),
    ] {
        assert_eq!(day(number), wanted);
    }
}

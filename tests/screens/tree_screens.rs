//! The tree pane, the stack beside it, and the board that follows.

use insta::assert_snapshot;
use ratatui::{buffer::Cell, style::Style};

use crate::stage::{Stage, ascii};
use plyscope::{
    engine::session::{
        position::Eval,
        search::{Run, Where},
    },
    tui::{app::App, data::BoardOf},
    view,
};

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (140, 40), (200, 60)];

/// A search stopped at a cutoff, with the tree pane in front.
fn at_a_cutoff(game: &str, app: App, (columns, rows): (u16, u16)) -> Stage {
    let mut stage = Stage::with(app, columns, rows);
    let moves = if game == "chess" { "play e4 b6" } else { "play a1 d1 b2" };
    stage.lines(&[&format!("game {game}"), moves, "search set depth=4 memo=bound algorithm=pvs"]);
    stage.lines(&["step 2500", "until cutoff"]);
    stage.keys("esc 3");
    stage
}

/// The title of the board's frame, and the position on the board.
fn board(stage: &Stage) -> (String, String) {
    let screen = stage.state();
    // Entries of some policies keep no position.
    let shown = screen.data.board.as_ref().map_or(String::new(), |board| board.state.clone());
    (screen.board_owner(), shown)
}

/// Board, evaluation and title are of one position.
fn agree(stage: &Stage) {
    let (whose, position) = board(stage);
    let eval = stage.state().data.get::<Eval>().map(|eval| eval.state.clone());
    assert_eq!(eval.unwrap_or_else(|| position.clone()), position, "{whose}");
    let text = stage.text();
    let title = whose.split(' ').next().unwrap();
    assert!(text.contains(&format!("Board · {title}")), "{whose}\n{text}");
    let sides = ["White", "Black"].map(|side| format!("Board · {whose}, {side}"));
    let names_side = sides.iter().any(|title| text.contains(title));
    assert!(title != "frame" || names_side, "{whose}\n{text}");
}

/// While a search runs, the column of nodes is empty, and its heading has the reason.
#[test]
fn the_heading_says_when_nodes_are_counted() {
    for game in ["morris", "chess"] {
        for (size, words) in
            SIZES.into_iter().zip(["nodes after a stop"; 2].into_iter().chain(["nodes"; 2]))
        {
            let mut stage = at_a_cutoff(game, App::usual(), size);
            assert!(!stage.text().contains("a stop"), "{game} {size:?}: {}", stage.text());
            stage.driver.app.state.searching = true;
            let text = stage.text();
            assert!(
                text.contains(words) && text.contains("after a stop"),
                "{game} {size:?}: {text}"
            );
        }
    }
}

#[test]
fn a_tree_in_the_middle_of_a_search() {
    for game in ["morris", "chess"] {
        for size in SIZES {
            let mut stage = at_a_cutoff(game, App::usual(), size);
            let name = format!("tree_{game}_{}x{}", size.0, size.1);
            assert_snapshot!(name.clone(), stage.text());
            if size.1 > 30 {
                continue;
            }
            // A finished child of the root is opened, then a node that was not searched.
            stage.keys("home down right down");
            assert_snapshot!(format!("{name}_opened"), stage.text());
            let ascii = at_a_cutoff(game, ascii(), size);
            assert!(ascii.buffer().content.iter().all(|cell| cell.symbol().is_ascii()));
            assert_snapshot!(format!("{name}_ascii"), ascii.text());
        }
    }
}

#[test]
fn the_board_follows_the_cursor_and_escape_brings_the_game() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (200, 60));
        let game_state = {
            stage.keys("1 esc");
            let (whose, position) = board(&stage);
            assert_eq!(whose, "game");
            agree(&stage);
            stage.keys("3");
            position
        };
        let mut seen = Vec::new();
        stage.keys("home");
        for key in ["down", "right", "down", "down", "end", "right", "down", "up", "left", "left"] {
            stage.keys(key);
            agree(&stage);
            seen.push(board(&stage));
            let stack = stage.state().data.get::<Where>().unwrap();
            if stage.state().shown == BoardOf::Frame {
                assert_eq!(stack.frames[stack.selected].state, board(&stage).1);
            }
        }
        seen.dedup();
        assert!(seen.len() > 4, "{seen:?}");
        // Frames are selected in the stack, and their nodes in the tree.
        stage.keys("home");
        assert_eq!((board(&stage).0, selected(&stage)), ("frame 0".to_owned(), 0));
        stage.lines(&["frame 1"]);
        agree(&stage);
        assert_eq!((board(&stage).0, selected(&stage)), ("frame 1".to_owned(), 1));
        stage.keys("esc 4 down");
        agree(&stage);
        assert!(board(&stage).0.starts_with("entry "));
        stage.keys("esc");
        assert_eq!(board(&stage), ("game".to_owned(), game_state));
        agree(&stage);
        stage.keys("s");
        assert!(board(&stage).0.starts_with("frame "));
        agree(&stage);
    }
}

fn selected(stage: &Stage) -> usize {
    stage.state().data.get::<Where>().unwrap().selected
}

#[test]
fn fast_keys_leave_the_cursor_where_they_moved_it() {
    use crossterm::event::{Event, KeyEvent};
    use plyscope::tui::keys::KeyPress;
    let mut stage = at_a_cutoff("morris", App::usual(), (140, 40));
    for name in ["home", "down"] {
        let key: KeyPress = name.parse().unwrap();
        stage.driver.app.event(&Event::Key(KeyEvent::from(key)));
    }
    stage.driver.settle();
    assert!(matches!(stage.state().shown, BoardOf::Node(_)), "{:?}", stage.state().shown);
}

/// If an entry has lowered β, the reply that reaches it does not refute the move before, but is marked all the same.
#[test]
fn a_cutoff_by_the_bound_of_an_entry_has_its_mark() {
    let cases = [
        ("morris", "play a1 d1 b2", "step 1623", "d7"),
        ("chess", "play e4 e5 Nf3 Nc6", "step 47481", "Nf6"),
    ];
    for (game, moves, event, reply) in cases {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves]);
        stage.lines(&["search set depth=4 memo=bound algorithm=pvs", event]).keys("esc 3");
        let text = stage.text();
        assert!(text.contains(&format!("! {reply} causes a cutoff")), "{text}");
        let why = stage.driver.shell.look_up("explain").unwrap();
        let why = view::text(&*why).split_whitespace().collect::<Vec<_>>().join(" ");
        let reason = "the entry found here lowered β to its upper bound, so the move suffices";
        assert!(why.contains(reason), "{why}");
    }
}

#[test]
fn nodes_not_searched_have_a_reason_and_a_board() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (100, 30));
        let frames = stage.state().data.frames();
        let (cut, reply) = (frames.len() - 1, frames.last().unwrap().best_move.clone().unwrap());
        let text = stage.text();
        assert!(text.contains(&format!("! {reply} cuts off")), "{text}");
        // The first child of the current node is the reply, then come the moves skipped by the cutoff.
        while !stage.text().contains("not searched: after") {
            let before = stage.text();
            stage.keys("down right");
            assert_ne!(before, stage.text());
        }
        assert!(stage.text().contains(&format!("after {reply} ≥ β")), "{}", stage.text());
        assert!(matches!(&stage.state().shown, BoardOf::Node(spot) if spot.line.len() == cut + 1));
        agree(&stage);
    }
}

#[test]
fn an_icicle_is_walked_into_and_out_of() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (140, 40));
        stage.keys("home t");
        let text = stage.text();
        assert!(text.contains(" C  cut off ") && text.contains(" S  searched "), "{text}");
        // The selected node, the root, has the reversed colours over its whole width.
        let buffer = stage.buffer();
        let ground = stage.state().look.toned_selection(Style::new()).bg.unwrap();
        let marked = buffer.content.iter().filter(|cell| cell.bg == ground).count();
        let pane = stage.state().areas().of("tree").unwrap();
        assert_eq!(marked, usize::from(pane.width - 2), "{game}: {text}");
        assert_eq!(buffer[(pane.x + 1, pane.y + 1)].symbol(), "▸", "{game}: {text}");
        let whole = text.lines().filter(|line| line.contains('▏')).count();
        // Down to a node of the stack below the root, and into it: it fills the width.
        stage.keys("enter down");
        let chosen = |stage: &Stage| stage.state().shown.clone();
        while stage.state().data.frame().is_none_or(|frame| frame.ply == 0) {
            let before = stage.text();
            stage.keys("down");
            assert_ne!(stage.text(), before, "{game}: no node of the stack is reached");
        }
        stage.keys("enter");
        let inside = stage.text();
        assert_ne!(inside, text, "{game}");
        assert_eq!(selected(&stage), 1, "{game}: the board shows the node");
        agree(&stage);
        stage.keys("backspace");
        assert_eq!(selected(&stage), 0, "{game}: Backspace goes out, and the board follows");
        agree(&stage);
        let out = stage.text().lines().filter(|line| line.contains('▏')).count();
        assert_eq!(out, whole, "{game}");
        assert_eq!(chosen(&stage), BoardOf::Frame);
    }
}

/// The cells of a ply stand for all nodes of the ply, those without a column too.
#[test]
fn the_cells_of_an_icicle_count_all_nodes() {
    for (game, moves, all) in [("morris", "play d6 f4", 22), ("chess", "play e4 e5", 29)] {
        for size in [(80, 24), (100, 30), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves]);
            stage.lines(&["search set depth=3 memo=none", "search run"]);
            let text = stage.keys("esc esc 3 t").text();
            let pane = stage.state().areas().of("tree").unwrap();
            let line = text.lines().nth(usize::from(pane.y) + 2).unwrap();
            let line: String = line.chars().skip(pane.x.into()).collect();
            let number = |cell: &str| {
                cell.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(1)
            };
            let cells = line.split('▏').skip(1);
            assert_eq!(cells.map(number).sum::<u64>(), all, "{game} {size:?}: {text}");
        }
    }
}

/// A node without children does not fill the width, the node being searched now no more than a leaf.
#[test]
fn an_icicle_is_not_walked_into_a_node_without_children() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (140, 40));
        stage.lines(&["until descend"]).keys("esc 3 t end");
        let before = stage.text();
        stage.keys("enter");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        let is_leaf = said == "the tree shows no children of this node";
        assert!(is_leaf, "{game}: {said}: {before}");
    }
}

/// Below an icicle with room, the selected node and its siblings are listed.
#[test]
fn an_icicle_lists_the_siblings_of_the_selected_node() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (200, 60));
        stage.keys("z home t");
        let listed = |stage: &Stage| {
            let text = stage.text();
            let lines = text.lines().skip_while(|line| !line.contains("% of parent")).skip(1);
            lines.take_while(|line| line.contains(" %")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_ne!(listed(&stage).len(), 1, "{game}: the only move needs no list");
        stage.keys("down down");
        assert!(listed(&stage).len() > 1, "{game}: {}", stage.text());
        assert!(stage.text().contains("cut off"), "{game}: the legend is below");
    }
}

/// After a step, an icicle that would not show the current node shows all nodes.
#[test]
fn an_icicle_follows_a_step() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (140, 40));
        let event = stage.state().data.event().unwrap().index;
        let edges = |stage: &Stage| stage.text().matches('▏').count();
        stage.keys("home t");
        let whole = edges(&stage);
        stage.keys("enter down");
        while stage.state().data.frame().is_none_or(|frame| frame.ply == 0) {
            stage.keys("down");
        }
        stage.keys("enter");
        assert_ne!(edges(&stage), whole, "{game}: inside a node\n{}", stage.text());
        stage.lines(&["goto 0", &format!("goto {event}")]).keys("esc esc 3 home");
        assert_eq!(edges(&stage), whole, "{game}: {}", stage.text());
    }
}

#[test]
fn the_tree_says_that_its_iteration_was_not_completed() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set budget=2000", "search run"]);
        assert!(stage.keys("esc esc 3").text().contains(", not completed ━"), "{}", stage.text());
        stage.lines(&["search run --depth 2"]).keys("esc esc 3");
        assert!(!stage.text().contains("not completed ━"), "{}", stage.text());
    }
}

/// On a large screen, an icicle in front is as wide as both columns of panes, and hides none of the others.
#[test]
fn an_icicle_has_the_width_of_both_columns() {
    for game in ["morris", "chess"] {
        for size in [(140, 40), (200, 60)] {
            let mut stage = at_a_cutoff(game, App::usual(), size);
            let before = stage.state().areas();
            let of_tree = |stage: &Stage| stage.state().areas().of("tree").unwrap();
            stage.keys("t");
            let areas = stage.state().areas();
            let wide = of_tree(&stage);
            assert_eq!(wide.width, areas.side.width, "{game} {size:?}: {}", stage.text());
            assert!(["stack", "cache", "eval"].iter().all(|pane| areas.of(pane).is_some()));
            // The list that has the focus gets rows of the icicle.
            let there = of_tree(stage.keys("s s S 2 n 4"));
            assert_eq!((there.x, there.y, there.width), (wide.x, wide.y, wide.width), "{game}");
            assert!(there.height < wide.height, "{game}: {}", stage.text());
            stage.keys("3 t");
            assert_eq!(of_tree(&stage).width, before.of("tree").unwrap().width, "{game}");
        }
    }
}

#[test]
fn the_legend_of_an_icicle_is_never_cut() {
    for game in ["morris", "chess"] {
        for columns in 60..120 {
            let mut stage = at_a_cutoff(game, App::usual(), (columns, 20));
            let text = stage.keys("t").text();
            let legend = text.lines().filter(|line| line.contains('›') && line.contains("under w"));
            for line in legend {
                assert!(line.contains("under way"), "{game} {columns}: {text}");
            }
        }
    }
}

#[test]
fn an_icicle_shows_the_whole_search_without_opening_nodes() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        for size in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves, "search set depth=3 memo=none"]);
            stage.lines(&["search run"]).keys("esc esc 3");
            assert!(!stage.text().contains('▾') || stage.text().matches('▾').count() == 1);
            stage.keys("t");
            let text = stage.text();
            // Below them, the node chosen is described.
            let is_here = |line: &&str| line.contains("▸ root ") && line.contains("◀ here");
            let plies = text.lines().position(|line| is_here(&line)).unwrap() - 3;
            assert!(plies >= 3, "{game} {size:?}: {text}");
            // The legend is one line, briefly where the pane is narrow.
            let legend = text.lines().find(|line| line.contains(" cut off "));
            assert!(legend.is_some_and(|line| line.contains(" searched ")), "{game}: {text}");
            let is_shared = |cell: &str| cell.split_whitespace().count() > 2 && !cell.contains('=');
            let shares = text.lines().any(|line| line.split('▏').skip(1).any(is_shared));
            assert!(
                shares || size.0 > 80,
                "{game} {size:?}: narrow neighbours share a cell: {text}"
            );
            // The cursor stays on nodes that can be seen.
            for _ in 0..12 {
                let before = stage.text();
                stage.keys("down");
                assert_ne!(stage.text(), before, "{game} {size:?}");
            }
            stage.keys("enter");
            let inside = stage.text();
            assert!(inside.contains('▏'), "{inside}");
            stage.keys("backspace t t");
        }
    }
}

#[test]
fn deep_nodes_keep_their_columns() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "search set depth=8 deepening=off", "break ply=8"]);
        stage.lines(&["continue"]).keys("esc esc 3");
        let text = stage.text();
        assert!(text.lines().any(|line| line.contains("◀ here")), "{game}: {text}");
        let rows = text.lines().filter(|line| !line.contains("% of parent"));
        let shares = rows.filter_map(|line| line.find(" %").map(|at| line[..at].chars().count()));
        let columns: std::collections::BTreeSet<_> = shares.collect();
        assert_eq!(columns.len(), 1, "{game}: {text}");
    }
}

/// Bars are drawn in the narrowest pane beside the stack, too.
#[test]
fn the_shares_of_nodes_have_bars_on_a_large_screen() {
    for game in ["morris", "chess"] {
        let stage = at_a_cutoff(game, App::usual(), (140, 40));
        let (text, left) = (stage.text(), stage.state().areas().of("tree").unwrap().x);
        let rows = text.lines().map(|line| line.chars().skip(left.into()).collect::<String>());
        let is_bar =
            |row: &str| row.contains('✓') && row.contains(['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█']);
        assert!(rows.filter(|row| is_bar(row)).count() > 3, "{game}: {text}");
    }
}

/// A bar is the part of the parent's nodes, whatever the siblings have.
#[test]
fn a_bar_is_as_long_as_its_percentage_says() {
    for game in ["morris", "chess"] {
        let stage = at_a_cutoff(game, App::usual(), (200, 60));
        let text = stage.text();
        let rows = text.lines().filter(|line| line.contains("▸✓") && line.contains(" % "));
        let bars: Vec<_> = rows
            .map(|line| {
                let after = line.split("▸✓").nth(1).unwrap();
                let share = after.split(" %").next().unwrap().rsplit(' ').next().unwrap();
                (share.parse::<f64>().unwrap(), after.matches('█').count())
            })
            .collect();
        let pairs = bars.iter().flat_map(|one| bars.iter().map(move |other| (one, other)));
        let agree =
            |(one, other): (&(f64, usize), &(f64, usize))| one.0 < other.0 || one.1 >= other.1;
        assert!(bars.len() > 3 && pairs.into_iter().all(agree), "{game}: {bars:?}\n{text}");
        // One scale for all: lengths are to each other as the percentages, up to a column.
        let longest = bars.iter().fold((0.0, 0), |one, it| if it.1 > one.1 { *it } else { one });
        let fits = |(share, length): &(f64, usize)| {
            (longest.1 as f64 * share / longest.0 - *length as f64).abs() < 2.0
        };
        assert!(bars.iter().all(fits), "{game}: {bars:?}\n{text}");
    }
}

/// The sign of a node has the colour that the node has in an icicle.
#[test]
fn the_signs_of_a_tree_have_the_colours_of_the_icicle() {
    for game in ["morris", "chess"] {
        let mut stage = at_a_cutoff(game, App::usual(), (140, 40));
        stage.keys("z");
        let cells = |stage: &Stage, first: &str, second: &str| -> Vec<_> {
            let buffer = stage.buffer();
            let is_pair = |pair: &&[Cell]| pair[0].symbol() == first && pair[1].symbol() == second;
            buffer.content.windows(2).filter(is_pair).map(|pair| pair[0].clone()).collect()
        };
        let toned = |cell: &Cell| stage.state().look.toned(Style::new().fg(cell.fg))[0].bg;
        let signs: Vec<_> = cells(&stage, "✓", " ").iter().map(toned).collect();
        stage.keys("t");
        for letter in ["S", "C"] {
            let ground = cells(&stage, "▏", letter)[0].bg;
            assert!(signs.contains(&Some(ground)), "{game} {letter}: {}", stage.text());
        }
    }
}

/// The legend has the colours of the nodes, and explains only letters that are in sight.
#[test]
fn the_legend_of_an_icicle_is_that_of_its_nodes() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3 memo=none"]);
        stage.lines(&["search run"]).keys("esc esc 3 t z");
        let (buffer, text) = (stage.buffer(), stage.text());
        for absent in ["reduced", "cache hit", "quiescence"] {
            assert!(!text.contains(absent), "{game}: {text}");
        }
        for (letter, words) in [("S", "searched"), ("C", "cut off")] {
            let sign = format!(" {letter}  {words}");
            let lines = text.lines().position(|line| line.contains(&sign)).unwrap() as u16;
            let at = text.lines().nth(lines.into()).unwrap().find(&sign).unwrap();
            let x = text.lines().nth(lines.into()).unwrap()[..at].chars().count() as u16 + 1;
            let legend = buffer[(x, lines)].bg;
            let above = &buffer.content[..usize::from(lines * buffer.area.width)];
            let is_node = |cell: &&Cell| cell.symbol() == "▏" && cell.bg == legend;
            assert!(above.iter().filter(is_node).count() > 3, "{game}: {letter}\n{text}");
        }
    }
}

/// The best move and the nodes on the search stack are at least as wide as their names, however small their share is.
#[test]
fn the_best_move_and_the_current_line_have_names_in_an_icicle() {
    for (game, moves) in [("morris", "play d6 f4 d2"), ("chess", "play e4 e5 Nf3")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=4 memo=none"]);
        stage.lines(&["break ply=3 if child > 5", "continue", "delete all"]).keys("esc esc 3 t");
        let text = stage.text();
        let frames = stage.state().data.frames();
        let line: Vec<_> = frames.iter().filter_map(|frame| frame.mv.as_ref()).collect();
        assert!(line.len() >= 3, "{game}: {line:?}");
        for mv in &line[..line.len() - 1] {
            assert!(text.contains(&format!("› {mv} ")), "{game} {mv}: {text}");
        }
        let best = stage.lines(&["search run"]).state().data.get::<Run>().unwrap().best[0].clone();
        let text = stage.keys("esc esc 3").text();
        let cells = text.lines().flat_map(|line| line.split('▏').skip(1)).map(str::trim_end);
        let names: Vec<_> = cells.flat_map(|cell| cell.split(' ')).collect();
        assert!(names.contains(&best.to_string().as_str()), "{game}: {text}");
    }
}

/// In the first iteration, moves have no values to compare, but a finished node can be explained.
#[test]
fn a_finished_node_is_explained_before_an_iteration_is_complete() {
    for (game, moves) in [("morris", "play d6 f4 d2"), ("chess", "play e4 e5 Nf3")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=4", "step 30"]);
        stage.keys("esc esc 3 home down w");
        let text = stage.text();
        assert!(stage.state().sheet.is_some(), "{game}: {text}");
        assert!(!text.contains("has not completed"), "{game}: {text}");
    }
}

#[test]
fn two_searches_are_compared_on_the_screen() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        let moves = if game == "chess" { "play e4 e5" } else { "play d6 f4" };
        stage.lines(&[&format!("game {game}"), moves, "search set memo=none algorithm=minimax"]);
        stage.lines(&["search run --depth 3"]).keys("esc esc 3 t");
        assert!(stage.text().contains("`tree base` keeps them"), "{}", stage.text());
        stage.keys("t").lines(&[
            "tree base",
            "search set algorithm=alphabeta",
            "search run --depth 3",
        ]);
        stage.keys("esc esc 3 t t");
        let text = stage.text();
        assert!(text.contains("more nodes than") && text.contains("▸− root"), "{text}");
        stage.keys("t");
        assert!(!stage.text().contains("more nodes than"), "lines again");
        stage.lines(&["tree base --off"]).keys("esc esc 3 t t");
        assert!(!stage.text().contains("more nodes than"), "nothing to compare with");
    }
}

#[test]
fn panes_show_the_true_values_of_tables_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new(140, 40);
    let build = format!("tables build 3-3 --dir '{}'", folder.path().display());
    stage.lines(&[&build, "position set .w..bb../...wb.../.....w.. w 0 0", "search run --depth 3"]);
    for (pane, shows) in
        [("2", "truth ≠ loss in 20"), ("3", "≠ loss in 20  "), ("4", "≥ win     2 win in ")]
    {
        stage.keys("esc esc").keys(pane);
        assert!(stage.text().contains(shows), "pane {pane}: {}", stage.text());
    }
}

#[test]
fn after_a_cutoff_the_window_has_the_alpha_from_before_it() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["game chess", "break kind=cutoff if depth>=2", "continue"]);
    let beyond = |stage: &Stage| {
        let frame = stage.state().data.frames().last();
        frame.is_some_and(|frame| frame.window.alpha > frame.window.beta)
    };
    let is_found = (0..20).any(|_| {
        stage.lines(&["continue"]);
        beyond(&stage)
    });
    assert!(is_found, "a cutoff whose value is beyond β");
    let text = stage.text();
    let windows = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    let windows = windows.filter(|(_, after)| after.trim_start().starts_with("depth"));
    let alphas: Vec<_> = windows.filter_map(|(window, _)| window.split_once(", ")).collect();
    assert!(!alphas.is_empty() && alphas.iter().all(|(alpha, _)| *alpha != "✂"), "{text}");
    let stack = stage.state().data.get::<plyscope::engine::session::search::Where>().unwrap();
    assert!(stack.table(50).iter().all(|row| !row.contains('✂')), "{:?}", stack.table(50));
}

#[test]
fn the_tree_of_a_running_search_has_nodes_of_one_iteration() {
    use plyscope::engine::session::{explain::TreeExplained, search::Where};
    let mut stage = Stage::new(140, 40);
    let tree = |stage: &Stage| TreeExplained::of_stack(stage.state().data.get::<Where>().unwrap());
    let known = |tree: &TreeExplained| tree.nodes.iter().filter(|it| it.value.is_some()).count();
    stage.lines(&["game chess", "until iteration", "until iteration"]);
    let before = tree(&stage);
    assert!(known(&before) > 10, "the last complete iteration is shown before the first node");
    stage.lines(&["step 2"]);
    let after = tree(&stage);
    assert_eq!((after.depth, known(&after)), (before.depth + 1, 0), "then that under way");
    assert!(stage.text().contains(&format!("3 Tree · depth {}", after.depth)));
}

/// In a deep tree, rows without room for the lines from their parents have the numbers of their plies.
#[test]
fn rows_of_a_deep_tree_have_their_plies() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        let deep = ["search set depth=10 deepening=off", "break ply=9", "continue"];
        stage.lines(&[&[&*format!("game {game}")], &deep[..]].concat()).keys("esc esc 3");
        let text = stage.text();
        for row in ["┃▾› root", "┃1▾› ", "├▾› "] {
            assert!(text.contains(row), "{game}, {row}: {text}");
        }
    }
}

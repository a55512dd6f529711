//! The table.

use super::{
    Action,
    Context::{self, Always, In, Panes},
    Does::{self, Command, Type},
    View,
};
use crate::tui::app::Pane;

const fn action(
    name: &'static str,
    context: Context,
    keys: &'static [&'static str],
    does: Does,
    help: &'static str,
) -> Action {
    Action {
        name,
        context,
        keys,
        does,
        help,
    }
}

const fn view(
    name: &'static str,
    context: Context,
    keys: &'static [&'static str],
    does: View,
    help: &'static str,
) -> Action {
    action(name, context, keys, Does::View(does), help)
}

/// Every action, in the order of the help.
#[rustfmt::skip] // one action a line: it is read as a table
pub static ACTIONS: &[Action] = &[
    view("help", Always, &["f1"], View::Help, "lists keys and commands; type to filter"),
    view("help-key", Panes, &["?"], View::Help, "the same"),
    view("command", Panes, &[":"], View::Focus(Pane::Command), "goes to the command pane"),
    view("next-pane", Always, &["f6"], View::NextPane, "goes to the next pane"),
    view("previous-pane", Always, &["shift-f6"], View::PreviousPane, "goes to the pane before"),
    view("tab", Panes, &["tab"], View::NextPane, "goes to the next pane"),
    view("back-tab", Panes, &["shift-tab"], View::PreviousPane, "goes to the pane before"),
    view("board", Panes, &["1"], View::Focus(Pane::Board), "goes to the board"),
    view("stack", Panes, &["2"], View::Focus(Pane::Stack), "goes to the search stack"),
    view("tree", Panes, &["3"], View::Focus(Pane::Tree), "goes to the search tree"),
    view("cache", Panes, &["4"], View::Focus(Pane::Cache), "goes to the cache table"),
    view("log", Panes, &["5"], View::Focus(Pane::Log), "goes to the log"),
    view("eval", Panes, &["6"], View::Focus(Pane::Eval), "goes to the evaluation"),
    view("prompt", Panes, &["7"], View::Focus(Pane::Command), "goes to the command pane"),
    view("counters", Panes, &["8"], View::Focus(Pane::Counters), "goes to the counters"),
    view("chart", Panes, &["9"], View::Focus(Pane::Chart), "goes to the chart of the last comparison"),
    view("arena", Panes, &["0"], View::Focus(Pane::Arena), "goes to the tournament"),
    view("zoom", Panes, &["z"], View::Zoom, "shows the focused pane alone, or all"),
    view("zoom-any", Always, &["f4"], View::Zoom, "the same, also in the command pane"),
    action("step", Panes, &["s"], Command("step"), "one event on"),
    action("step-any", Always, &["f11"], Command("step"), "the same, also in the command pane"),
    action("step-100", Panes, &["S"], Command("step 100"), "a hundred events on"),
    action("over", Panes, &["o"], Command("next"), "over the subtree entered next"),
    action("over-any", Always, &["f10"], Command("next"), "the same, also in the command pane"),
    action("out", Panes, &["u"], Command("finish"), "out of the node at hand"),
    action("out-any", Always, &["shift-f11", "f12"], Command("finish"), "the same, also in the command pane"),
    action("continue", Panes, &["c"], Command("continue"), "to the next breakpoint, or the end"),
    action("continue-any", Always, &["f5"], Command("continue"), "the same, also in the command pane"),
    action("back", Panes, &["b"], Command("back"), "one event back"),
    action("run", Panes, &["r"], Command("search run"), "searches with the settings in force"),
    action("drop", Panes, &["x"], Command("search drop"), "forgets the search under way"),
    view("interrupt", Always, &["ctrl-c"], View::Interrupt, "stops what is running"),
    action("undo", Panes, &["U", "ctrl-u"], Command("undo"), "takes back a move"),
    action("redo", Panes, &["R", "ctrl-r"], Command("redo"), "brings it back"),
    action("new", Panes, &["N"], Command("position start"), "sets up the start of a game"),
    action("play", Panes, &["p"], Type("play "), "begins a move in the command pane"),
    action("engine", Panes, &["m"], Command("engine play"), "the engine chooses a move and plays it"),
    action("hint", Panes, &["h"], Command("hint"), "shows the best moves and plays none"),
    view("position", Panes, &["esc"], View::Back, "the board shows the position at hand again"),
    view("copy-position", Panes, &["y"], View::CopyPosition, "copies the position shown"),
    view("copy-key", Panes, &["Y"], View::CopyKey, "copies the cache key shown"),
    view("save", Panes, &["w", "ctrl-s"], View::Save, "saves the session"),
    view("theme", Always, &["f2"], View::Theme, "the next colour theme"),
    view("mouse", Always, &["f3"], View::Mouse, "mouse on or off"),
    view("redraw", Panes, &["ctrl-l"], View::Redraw, "draws the screen anew"),
    view("suspend", Always, &["ctrl-z"], View::Suspend, "back to the shell; `fg` returns"),
    view("quit", Panes, &["q", "ctrl-q"], View::Quit, "leaves; asks if something is not saved"),
    view("up", Panes, &["up", "k"], View::Up, "the line above"),
    view("down", Panes, &["down", "j"], View::Down, "the line below"),
    view("page-up", Always, &["pageup"], View::PageUp, "a page up"),
    view("page-down", Always, &["pagedown"], View::PageDown, "a page down"),
    view("top", Panes, &["home", "g"], View::Top, "the first line"),
    view("bottom", Panes, &["end", "G"], View::Bottom, "the last line"),
    view("board-flip", In(Pane::Board), &["F"], View::Flip, "mirrors the board"),
    view("board-turn", In(Pane::Board), &["T"], View::Turn, "turns the board"),
    view("board-setup", In(Pane::Board), &["E"], View::Setup, "sets a position up by hand"),
    action("frame-up", In(Pane::Stack), &["up", "k"], Command("up"), "selects the frame nearer to the root"),
    action("frame-down", In(Pane::Stack), &["down", "j"], Command("down"), "selects the frame farther from the root"),
    action("frame-root", In(Pane::Stack), &["home", "g"], Command("frame 0"), "selects the root"),
    action("frame-show", In(Pane::Stack), &["enter"], Command("frame"), "shows the selected frame on the board"),
    action("entry-show", In(Pane::Cache), &["enter"], Command("cache get {key}"), "shows the selected entry on the board"),
    action("entry-edit", In(Pane::Cache), &["e"], Type("cache set {key} value="), "edits the selected entry"),
    action("entry-remove", In(Pane::Cache), &["d", "delete"], Command("cache remove {key}"), "removes the selected entry"),
    view("entry-sort", In(Pane::Cache), &["t"], View::Sort, "the next order"),
    view("entry-filter", In(Pane::Cache), &["/"], View::Filter, "shows only some: depth>=2 and value<0 …"),
];

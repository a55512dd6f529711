//! What clicks and the wheel do.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{
    app::{App, Pane, Shown},
    board::BoardWidget,
    draw, panes,
};

/// Lines a turn of the wheel moves.
const WHEEL: isize = 3;

impl App {
    pub(super) fn mouse_event(&mut self, event: MouseEvent) {
        if self.overlay.is_some() {
            return;
        }
        let Some((pane, area)) = self.areas().at(event.column, event.row) else {
            return;
        };
        match event.kind {
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let focus = std::mem::replace(&mut self.focus, pane);
                let up = event.kind == MouseEventKind::ScrollUp;
                self.scroll(if up { -WHEEL } else { WHEEL });
                self.focus = focus;
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let on_frame = event.row == area.y;
                let tab = on_frame
                    .then(|| draw::tab_at(self, pane, event.column - area.x))
                    .flatten();
                self.go_to(tab.unwrap_or(pane));
                match pane {
                    Pane::Cache if tab.is_none() => {
                        self.select_entry(event.row, area.y, area.height);
                    }
                    Pane::Board => self.board_click(inner(area), event.column, event.row),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn board_click(&mut self, area: Rect, column: u16, row: u16) {
        let Some(report) = self
            .data
            .board
            .as_ref()
            .filter(|_| self.shown == Shown::Position)
        else {
            return;
        };
        let widget = BoardWidget::new(report, &self.look.theme).input(&self.board);
        if let Some(key) = widget.hit(area, column, row) {
            self.board_does(key);
        }
    }

    /// Selects the entry that is drawn in a row of the screen.
    fn select_entry(&mut self, row: u16, top: u16, height: u16) {
        let Some(line) = (row as usize).checked_sub(top as usize + 2) else {
            return;
        };
        let entries = self.data.matching();
        let first = panes::cache::first(self.table.selected, height.saturating_sub(3) as usize);
        if first + line < entries {
            self.table.selected = first + line;
            self.look_at_entry();
        }
    }
}

/// A pane without its frame.
fn inner(area: Rect) -> Rect {
    Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

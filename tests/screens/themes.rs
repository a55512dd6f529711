//! Themes: contrast of colours, and the colours sent to the terminal.

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier, Style},
};

use crate::stage::Stage;
use plyscope::{
    engine::session::reply::Side,
    picture::{Background, BoardCell, Role},
    tui::{
        app::App,
        look::{Theme, fold},
    },
    view::{Abilities, Colour, background::Background as TerminalBackground, few},
};

const ENOUGH: f64 = 4.5;

type Rgb = [u8; 3];

/// The backgrounds of squares.
const SQUARES: [Background; 8] = [
    Background::Light,
    Background::Dark,
    Background::LightMoved,
    Background::DarkMoved,
    Background::Check,
    Background::Chosen,
    Background::Hinted,
    Background::Cursor,
];

/// The RGB value of a colour; one of the 256 as terminals show it.
fn rgb(color: Color) -> Rgb {
    const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match color {
        Color::Indexed(grey @ 232..) => [8 + 10 * (grey - 232); 3],
        Color::Indexed(index @ 16..) => {
            let cube = usize::from(index - 16);
            [CUBE[cube / 36], CUBE[cube / 6 % 6], CUBE[cube % 6]]
        }
        Color::Rgb(red, green, blue) => [red, green, blue],
        other => panic!("{other} may be any colour"),
    }
}

/// The contrast ratio of two colours, 1 to 21 (WCAG 2.2).
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let luminance = |rgb: Rgb| {
        let linear = rgb.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn foregrounds(theme: &Theme) -> [Style; 5] {
    [theme.text, theme.quiet, theme.white, theme.black, theme.accent]
}

#[test]
fn everything_can_be_read_on_its_background() {
    for name in ["default", "dark", "light"] {
        let theme = Theme::named(name, Colour::On).unwrap();
        for style in foregrounds(&theme).into_iter().chain([theme.error]) {
            for ground in [theme.text, theme.selected] {
                let found = contrast(rgb(style.fg.unwrap()), rgb(ground.bg.unwrap()));
                assert!(found >= ENOUGH, "{name}: {style:?} has {found}");
            }
        }
    }
}

/// Nodes of an icicle can be read and told apart.
#[test]
fn the_areas_of_an_icicle_can_be_read_and_told_apart() {
    for name in ["dark", "light"] {
        let theme = Theme::named(name, Colour::On).unwrap();
        let areas = foregrounds(&theme).into_iter().chain([theme.reduced]);
        let areas: Vec<_> = areas.map(|style| theme.toned(style)[0]).collect();
        for (at, area) in areas.iter().enumerate() {
            let found = contrast(rgb(area.fg.unwrap()), rgb(area.bg.unwrap()));
            assert!(found >= ENOUGH, "{name}: {area:?} has {found}");
            assert!(areas[..at].iter().all(|other| other.bg != area.bg), "{name}: {area:?}");
        }
    }
}

#[test]
fn pieces_contrast_with_every_square_in_every_theme() {
    for (name, colour) in
        [("default", Colour::On), ("dark", Colour::Palette), ("light", Colour::On)]
    {
        let theme = Theme::named(name, colour).unwrap();
        let found = |role, background| {
            let style = theme.board(BoardCell { sign: ' ', role, background });
            contrast(rgb(style.fg.unwrap()), rgb(style.bg.unwrap()))
        };
        for ground in SQUARES.into_iter().chain([Background::Wood]) {
            for role in Side::ALL.map(Role::Stone).into_iter().chain([Role::Hint, Role::Line]) {
                let found = found(role, ground);
                assert!(found >= ENOUGH, "{name}: {role:?} on {ground:?}: {found}");
            }
        }
        let [light, dark] = [Background::Light, Background::Dark]
            .map(|background| theme.board(BoardCell { sign: ' ', role: Role::Blank, background }));
        assert_ne!(light.bg, dark.bg, "{name}: squares");
        for side in Side::ALL {
            assert!(found(Role::Capturable, Background::Stone(side)) >= ENOUGH);
            assert!(found(Role::Stone(side.other()), Background::Stone(side)) >= ENOUGH);
        }
    }
}

/// The eight ANSI colours as the Linux console shows them, if not bold.
fn console(style: Style) -> [Rgb; 2] {
    let shade = |on: bool| if on { 170 } else { 0 };
    [style.fg.unwrap(), style.bg.unwrap()].map(|colour| match colour {
        Color::Indexed(index @ ..8) => [index & 1 > 0, index & 2 > 0, index & 4 > 0].map(shade),
        other => panic!("{other} is not one of eight"),
    })
}

/// With few colours, squares differ by their backgrounds; without colours, by reverse video.
#[test]
fn a_chess_board_in_few_colours_has_squares() {
    let style =
        |theme: &Theme, role, background| theme.board(BoardCell { sign: ' ', role, background });
    let themes = [("basic", Colour::On), ("default", Colour::Eight), ("dark", Colour::Sixteen)];
    for (name, colour) in themes {
        let theme = Theme::named(name, colour).unwrap();
        let found = |role, ground| {
            let [ink, paper] = console(style(&theme, role, ground));
            contrast(ink, paper)
        };
        for ground in SQUARES {
            for role in [Role::Hint, Role::Line] {
                let found = found(role, ground);
                assert!(found >= ENOUGH, "{name}: {role:?} on {ground:?}: {found}");
            }
        }
        for side in Side::ALL {
            assert!(found(Role::Stone(side.other()), Background::Stone(side)) >= ENOUGH);
        }
        let [light, dark] = [Background::Light, Background::Dark]
            .map(|ground| console(style(&theme, Role::Line, ground))[1]);
        assert!(contrast(light, dark) >= ENOUGH, "{name}: squares");
    }
    let mono = Theme::named("mono", Colour::On).unwrap();
    let is_reversed =
        |ground| style(&mono, Role::Line, ground).add_modifier.contains(Modifier::REVERSED);
    assert!(is_reversed(Background::Light) && !is_reversed(Background::Dark));
}

/// The colours of a cell, exchanged if it is reversed.
fn shown(cell: &Cell) -> (Rgb, Rgb) {
    let (ink, paper) = (rgb(cell.fg), rgb(cell.bg));
    if cell.modifier.contains(Modifier::REVERSED) { (paper, ink) } else { (ink, paper) }
}

#[track_caller]
fn assert_readable(stage: &Stage, theme: &str) {
    let buffer = stage.buffer();
    for at in buffer.area.positions() {
        let cell = &buffer[at];
        // A stone has one colour.
        if [" ", "█"].contains(&cell.symbol()) {
            rgb(cell.bg);
            continue;
        }
        let (ink, paper) = shown(cell);
        let found = contrast(ink, paper);
        let symbol = cell.symbol();
        assert!(found >= ENOUGH, "{theme}: {symbol:?} at {at} has {found}\n{}", stage.text());
    }
}

#[test]
fn everything_on_every_screen_can_be_read() {
    for name in ["dark", "light"] {
        for (game, moves) in [("morris", "play a1 d1 b2"), ("chess", "play e4 e5 Nf3")] {
            let mut app = App::usual();
            app.state.look = Theme::named(name, Colour::On).unwrap();
            let mut stage = Stage::with(app, 140, 40);
            stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "break depth=1"]);
            stage.lines(&["step 300", "echo '", "cache get 1"]);
            let editor =
                "\x1b[1;38;5;75mstep\x1b[0m \x1b[38;5;117m3\x1b[0m \x1b[38;5;179m--x\x1b[0m
                \x1b[38;5;150m'q'\x1b[0m \x1b[2m# so\x1b[0m \x1b[4;38;5;208mno\x1b[0m";
            stage.state().emulator.lock().unwrap().process(editor.as_bytes());
            assert_readable(&stage, name);
            for keys in ["esc", "4 down", "1", "f1", "esc q", "esc 6", "i", "esc 9", "0"] {
                stage.keys(keys);
                assert_readable(&stage, name);
            }
            stage.lines(&["weights compare --sweep mills=0..2:1 --depth 1; help cache set"]);
            assert_readable(&stage, name);
        }
    }
}

#[test]
fn ascii_keeps_what_signs_mean() {
    let folded = |text: &str| {
        let mut buffer = Buffer::with_lines([text]);
        fold(&mut buffer);
        plyscope::picture::screen_text(&buffer).trim_end().to_owned()
    };
    for (text, seen) in [
        ("│≥0.5    │", "|>=0.5   |"),
        ("│ ≤0.5 ≥1    │", "| <=0.5 >=1  |"),
        ("│a long tex…│", "|a long t...|"),
        ("best f4 … 12 more   ", "best f4 ... 12 more"),
        ("… BUSY 3 s    ", "... BUSY 3 s"),
        ("2 ± 1    ", "2 +- 1"),
        ("✂ after d7 ▸ ▾ ①②⑨ ⁺ ⁻", "x after d7 > v 129 + -"),
        ("▏▌▇ ▓░ ⣿⠒⠀⡀", "|## #. :. ."),
        ("● ◉ ○ ◎ ♔ ♙ ♚ ♟ ┃", "W w B b K P k p #"),
        ("       α      +∞ +1.60", "   alpha    +inf +1.60"),
        ("│at least β      │", "|at least beta   |"),
        ("│     ┃│β -1.75: the│          ", "|     #|b -1.75: the|"),
        ("│[−∞, +1.6…│", "|[-inf, ...|"),
        ("│is lower: +45 ≥ β│", "|is lower: +45>= b|"),
        ("│a lower bound ≤α│", "|a lower bound<=a|"),
        ("│bound≥5 known│", "|bound>=5known|"),
        ("│at least β│          ┃ ", "|at least b|          #"),
    ] {
        assert_eq!(folded(text), seen, "{text}");
    }
}

#[test]
fn no_color_and_mono_send_no_colour() {
    for theme in [Theme::named("dark", Colour::Off), Theme::named("mono", Colour::On)] {
        let theme = theme.unwrap();
        let (role, background) = (Role::Stone(Side::White), Background::Dark);
        let stone = theme.board(BoardCell { sign: ' ', role, background });
        for style in [theme.text, theme.quiet, theme.warning, stone] {
            assert_eq!((style.fg, style.bg), (Some(Color::Reset), Some(Color::Reset)));
        }
    }
    // Signs of White's pieces are reversed, because outlined and filled ones look alike in small fonts.
    let mono = Theme::named("mono", Colour::On).unwrap();
    let is_reversed = |sign, side| {
        let cell = BoardCell { sign, role: Role::Stone(side), background: Background::Paper };
        mono.board(cell).add_modifier.contains(Modifier::REVERSED)
    };
    assert!("♔♕♖♗♘♙".chars().all(|sign| is_reversed(sign, Side::White)));
    assert!("♚♛♜♝♞♟".chars().all(|sign| !is_reversed(sign, Side::Black)));
    assert_eq!(Theme::named("neon", Colour::On), None);
    assert_eq!(Theme::names().next(), Some("default"));
}

#[test]
fn the_default_theme_fits_a_background_that_is_known() {
    for (background, grounds) in [
        (TerminalBackground::Dark, [[0; 3], [30, 30, 46], [40, 44, 52]]),
        (TerminalBackground::Light, [[255; 3], [253, 246, 227], [239, 241, 245]]),
    ] {
        let mut theme = Theme::usual(Colour::On);
        assert!(theme.depends_on_background());
        theme.fit(background);
        assert_eq!((theme.name, theme.text.bg), ("default", Some(Color::Reset)));
        for style in foregrounds(&theme)[1..].iter().chain([&theme.error]) {
            for ground in grounds {
                let found = contrast(rgb(style.fg.unwrap()), ground);
                assert!(found >= ENOUGH, "{background:?} {ground:?}: {style:?} has {found}");
            }
        }
        theme.switch_to_next();
        theme.switch_to_next();
        assert!(!theme.depends_on_background(), "a theme with a background of its own");
        for _ in 0..3 {
            theme.switch_to_next();
        }
        assert_eq!((theme.name, theme.background), ("default", background));
    }
}

#[test]
fn the_environment_tells_what_a_terminal_can_show() {
    let of = |variables: &[(&str, &str)]| {
        let found = Abilities::of(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        (found.ascii, found.colour)
    };
    for (variables, expected) in [
        (&[("TERM", "xterm-256color"), ("LANG", "en_GB.UTF-8")][..], (false, Colour::Palette)),
        (&[("TERM", "xterm-256color")], (false, Colour::Palette)),
        (&[("TERM", "vte-256color"), ("LANG", "C.utf8")], (false, Colour::Palette)),
        (&[("TERM", "xterm-256color"), ("LANG", "C")], (true, Colour::Palette)),
        (
            &[("LANG", "en_GB.UTF-8"), ("LC_ALL", "POSIX"), ("TERM", "xterm")],
            (true, Colour::Palette),
        ),
        (&[("LANG", "C"), ("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8")], (false, Colour::Palette)),
        (&[("LC_CTYPE", "de_DE.ISO-8859-1"), ("LANG", "de_DE.UTF-8")], (true, Colour::Palette)),
        (&[("TERM", "linux"), ("LANG", "en_GB.UTF-8")], (true, Colour::Eight)),
        (&[("TERM", "rxvt-16color"), ("LANG", "en_GB.UTF-8")], (false, Colour::Sixteen)),
        (&[("TERM", "vt100"), ("LANG", "en_GB.UTF-8")], (true, Colour::Off)),
        (&[("TERM", "dumb")], (false, Colour::Off)),
        (&[("TERM", "linux"), ("COLORTERM", "truecolor")], (true, Colour::On)),
        (&[("TERM", "xterm-kitty"), ("COLORTERM", "24bit")], (false, Colour::On)),
        (&[("TERM", "screen.xterm"), ("COLORTERM", "truecolor")], (false, Colour::Palette)),
        (&[("TERM", "linux"), ("COLORTERM", "yes")], (true, Colour::Palette)),
    ] {
        assert_eq!(of(variables), expected, "{variables:?}");
    }
}

#[test]
fn a_terminal_with_few_colours_gets_few() {
    for (colour, most) in [(Colour::Eight, 8), (Colour::Sixteen, 16)] {
        for name in Theme::names() {
            let mut theme = Theme::named(name, colour).unwrap();
            for _ in Theme::names() {
                assert!(["basic", "mono"].contains(&theme.name), "{name}: {}", theme.name);
                for style in foregrounds(&theme).into_iter().chain([theme.error]) {
                    let fits = match style.fg {
                        Some(Color::Indexed(index)) => index < most,
                        colour => colour == Some(Color::Reset),
                    };
                    assert!(fits, "{name}: {style:?}");
                }
                theme.switch_to_next();
            }
        }
        for game in ["game morris", "game chess"] {
            let mut app = App::usual();
            app.state.look = Theme { ascii: true, ..Theme::usual(colour) };
            let mut stage = Stage::with(app, 80, 24);
            stage.lines(&[game]);
            assert!(stage.buffer().content.iter().all(|cell| cell.symbol().is_ascii()));
        }
    }
}

#[test]
fn colours_are_written_by_the_codes_of_ansi_where_there_are_few() {
    for (many, ansi) in [
        ("1;38;5;3;49", "1;33;49"),
        ("38;5;11", "93"),
        ("4;48;5;13;38;5;0", "4;105;30"),
        ("38;5;75", "36"),
        ("48;5;231", "47"),
        ("38;5;232", "30"),
        ("", ""),
        ("39;49", "39;49"),
    ] {
        assert_eq!(few(many), ansi, "{many}");
    }
    assert_eq!(Colour::Eight.paint("1;38;5;208", "x"), "\x1b[1;31mx\x1b[0m");
}

#[test]
fn a_screen_of_60x16_has_a_board() {
    for (game, sign) in [("morris", "•"), ("chess", "♟")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}")]).keys("esc 1 9 esc 1");
        stage.driver.app.state.tab = "game";
        stage.event(&crossterm::event::Event::Resize(60, 16));
        let text = stage.text();
        assert!(
            text.contains(" 1 Board ") && text.contains("[0 Game]") && text.contains(sign),
            "{text}"
        );
        assert_eq!(stage.state().focus, "board");
        // Every rank and file has its name.
        let names = if game == "chess" { ["8", "1", "a", "h"] } else { ["7", "1", "a", "g"] };
        for name in names {
            assert!(
                text.lines().skip(2).take(11).any(|line| line.contains(name)),
                "{name}: {text}"
            );
        }
    }
}

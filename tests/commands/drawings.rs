//! The pictures of the documents: each `sessions/pictures/*.ply` makes the SVG of its name.

use std::{fs, path::Path, process::Command};

use crate::transcript::updating;

/// The animated picture.
const FILM: &str = "film";

fn draw(script: &Path, drawing: &Path) -> (bool, String) {
    let flag = if script.file_stem().unwrap() == FILM { "--film" } else { "--picture" };
    let mut program = Command::new(env!("CARGO_BIN_EXE_plyscope"));
    program.env_remove("NO_COLOR").args(["--theme", "dark", "demo"]).arg(script).arg(flag);
    let done = program.arg(drawing).output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn every_picture_is_drawn_by_its_script() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/pictures");
    let home = tempfile::tempdir().unwrap();
    let readme = fs::read_to_string("README.md").unwrap();
    let mut drawn = 0;
    for script in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if script.extension().is_none_or(|end| end != "ply") {
            continue;
        }
        let name = script.with_extension("svg");
        let name = name.file_name().unwrap();
        let (here, fresh) = (folder.join(name), home.path().join(name));
        let (well, said) = draw(&script, &fresh);
        assert!(well, "{}: {said}", script.display());
        if updating() {
            fs::copy(&fresh, &here).unwrap();
        }
        let same = fs::read(&fresh).unwrap() == fs::read(&here).unwrap();
        assert!(same, "{} draws something else", script.display());
        assert!(readme.contains(name.to_str().unwrap()), "README.md does not show {name:?}");
        drawn += 1;
    }
    assert!(drawn > 1);
}

#[test]
fn an_animation_shows_each_row_for_its_time_and_the_last_screen_without_animation() {
    let home = tempfile::tempdir().unwrap();
    let (script, film) = (home.path().join("film.ply"), home.path().join("f.svg"));
    fs::write(&script, "# A man\n# is placed.\nplay d6\n\nplay f4\n\n# The end.\n").unwrap();
    let (well, said) = draw(&script, &film);
    assert!(well && said.contains("(4 screens, "), "{said}");
    let svg = fs::read_to_string(&film).unwrap();
    // The words appear with their screens, a command from the second screen on, its reply in the third.
    let group = |text: &str| {
        let before = &svg[..svg.find(text).unwrap_or_else(|| panic!("{text}"))];
        before[before.rfind("<g ").unwrap()..].lines().next().unwrap().to_owned()
    };
    assert_eq!(group(">A man is placed.<"), r#"<g class="f0-1" visibility="hidden">"#);
    assert_eq!(group(">f4: White"), r#"<g class="f2-3" visibility="hidden">"#);
    assert_eq!(group(">The end.<"), r#"<g class="f3-4">"#);
    assert!(svg.contains("@keyframes k0-1 {") && !svg.contains("animation: k0-4"), "{svg}");
}

#[test]
fn a_demo_is_drawn_completely_or_not_at_all() {
    let home = tempfile::tempdir().unwrap();
    let (script, drawing) = (home.path().join("s.ply"), home.path().join("s.svg"));
    for (text, why) in
        [("play d6\nplay d6\n", "`play d6`: "), ("play d6\n#! elephant\n", "`elephant`: ")]
    {
        fs::write(&script, text).unwrap();
        let (well, said) = draw(&script, &drawing);
        assert!(!well && said.contains(why) && !drawing.exists(), "{said}");
    }
    fs::write(&script, "# About the file.\n\n\n").unwrap();
    let (well, said) = draw(&script, &drawing);
    assert!(!well && said.contains("has no commands to show") && !drawing.exists(), "{said}");
    fs::write(&script, "# About the file.\n\n\n\nplay d6\n\n\n").unwrap();
    assert_eq!(plyscope::tui::demo::steps(fs::read_to_string(&script).ok().as_deref()).len(), 1);
    let (well, said) = draw(Path::new("sessions/pictures/board.ply"), Path::new("-"));
    assert!(well && said.starts_with("<svg ") && said.ends_with("</svg>\n"), "{said}");
    let (well, said) = draw(&home.path().join("none.ply"), &drawing);
    assert!(!well && said.contains("there is no such file"), "{said}");
}

//! The configuration file, and the faults of a wrong one.

use plyscope::config::{Config, KeySetting, load};

fn read(text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.ron");
    std::fs::write(&file, text).unwrap();
    let folder = format!("{}/", folder.path().display());
    load(Some(&file)).map_err(|what| what.replace(&folder, ""))
}

#[test]
fn optional_parts_may_be_left_out() {
    let config = read("(ascii: true, theme: \"light\", keys: {\"step\": [\"n\"]})").unwrap();
    assert_eq!((config.ascii, config.theme.as_deref()), (true, Some("light")));
    assert_eq!(config.keys["step"], KeySetting::Keys(vec!["n".to_owned()]));
    assert!(read("()").is_ok());
}

#[test]
fn errors_say_where() {
    let fault = |text: &str| read(text).unwrap_err();
    let said = fault("(\n  colour: true,\n)");
    assert!(
        said.starts_with("c.ron:2:") && said.contains("nothing is called `colour` here"),
        "{said}"
    );
    assert!(fault("(ascii: maybe)").contains("`true` or `false` belongs here"));
    assert!(fault("(trusted: [\"a\"])").starts_with("c.ron:1:12: the folder `a`"));
    for text in ["ascii", "[]", "(theme: 3)", "(keys: 3)", "Other()", "("] {
        let said = fault(text);
        assert!(!said.contains("struct") && !said.contains("Config"), "{said}");
    }
}

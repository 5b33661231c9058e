//! The redaction against a labelled corpus: every secret shape in several surroundings, and lines
//! of ordinary code of many languages. What looks like a credential is drawn at run time.

// Always true here; it tells clippy that helper functions are test code too.
#![cfg(test)]

mod draw;
mod hostile;
mod properties;
mod shapes;
mod surroundings;

use aurumcode_core::change::{Hunk, LineKind};
use aurumcode_core::redact::{MARKER, Redactor, secrets_in_line};

/// Ordinary lines, one each; a line that begins with `##` names the language of those below.
const HARMLESS: &str = include_str!("harmless.txt");

fn harmless() -> impl Iterator<Item = &'static str> {
    HARMLESS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("## "))
}

#[test]
fn every_shape_is_masked_in_every_surrounding() {
    let redactor = Redactor::default();
    let (mut count, mut missed) = (0, Vec::new());
    for shape in shapes::all() {
        assert!(
            shape.surroundings.len() >= 4,
            "{} has too few surroundings",
            shape.name
        );
        for surrounding in shape.surroundings {
            count += 1;
            let text = surrounding.replace("@@", &shape.text);
            let expected = surrounding.replace("@@", &shape.masked);
            let found = redactor.text(&text).into_owned();
            if found != expected {
                missed.push(format!(
                    "{}\n  of   {text}\n  want {expected}\n  got  {found}",
                    shape.name
                ));
            }
        }
    }
    let kinds = shapes::all().len();
    println!(
        "recall: {} of {count} ({kinds} shapes)",
        count - missed.len()
    );
    assert!(kinds >= 60, "the corpus has {kinds} shapes");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn no_harmless_line_is_touched() {
    let redactor = Redactor::default();
    let lines: Vec<&str> = harmless().collect();
    let damaged: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            let found = redactor.text(line);
            (found != *line).then(|| format!("{line}\n  => {found}"))
        })
        .collect();
    println!("damage: {} of {} lines", damaged.len(), lines.len());
    assert!(lines.len() >= 300, "the corpus has {} lines", lines.len());
    assert!(damaged.is_empty(), "{}", damaged.join("\n"));
    assert_eq!(
        redactor.text(HARMLESS),
        HARMLESS,
        "together, one below the other"
    );
    assert!(
        lines
            .iter()
            .all(|line| secrets_in_line(line, None).is_empty())
    );
}

#[test]
fn a_hunk_of_harmless_lines_is_untouched() {
    let mut hunk = Hunk::new(1, 1);
    let kinds = [LineKind::Context, LineKind::Added, LineKind::Removed];
    for (line, kind) in harmless().zip(kinds.iter().cycle()) {
        hunk.push(*kind, line.as_bytes(), true);
    }
    let lines = Redactor::default().hunk(&hunk);
    assert_eq!(lines, harmless().collect::<Vec<_>>());
}

fn hunk_of(lines: &[(LineKind, String)]) -> Hunk {
    let mut hunk = Hunk::new(1, 1);
    for (kind, line) in lines {
        hunk.push(*kind, line.as_bytes(), true);
    }
    hunk
}

#[test]
fn a_key_is_masked_on_the_side_where_it_stands_whole() {
    use LineKind::{Added, Context, Removed};
    let key = shapes::key_lines("RSA PRIVATE KEY", 4);
    let other = shapes::key_lines("RSA PRIVATE KEY", 6);
    let mut lines = vec![(Context, "config:".to_owned()), (Context, key[0].clone())];
    for (old, new) in key[1..5].iter().zip(&other[1..5]) {
        lines.push((Removed, old.clone()));
        lines.push((Added, new.clone()));
    }
    lines.push((Context, key[5].clone()));
    lines.push((Context, "next: true".to_owned()));
    let mut expected = vec![MARKER.to_owned(); lines.len()];
    expected[0] = "config:".to_owned();
    expected[lines.len() - 1] = "next: true".to_owned();
    assert_eq!(Redactor::default().hunk(&hunk_of(&lines)), expected);
}

#[test]
fn a_key_that_the_edge_of_a_hunk_cuts_is_masked() {
    use LineKind::{Added, Context};
    let key = shapes::key_lines("OPENSSH PRIVATE KEY", 8);
    let top: Vec<_> = [(Added, "a = 1".to_owned())]
        .into_iter()
        .chain(key[..4].iter().map(|line| (Context, line.clone())))
        .collect();
    let expected = ["a = 1", MARKER, MARKER, MARKER, MARKER];
    assert_eq!(Redactor::default().hunk(&hunk_of(&top)), expected);
    let bottom: Vec<_> = key[6..]
        .iter()
        .map(|line| (Context, line.clone()))
        .chain([(Added, "b = 2".to_owned())])
        .collect();
    let mut expected = vec![MARKER; bottom.len() - 1];
    expected.push("b = 2");
    assert_eq!(Redactor::default().hunk(&hunk_of(&bottom)), expected);
}

#[test]
fn a_canary_is_found_across_the_lines_of_either_side() {
    use LineKind::{Added, Context, Removed};
    let canary = draw::text("CANARY-{A20}");
    let redactor = Redactor::new([canary.clone()]);
    let (left, right) = canary.split_at(11);
    let lines = [
        (Context, format!("text = {left}")),
        (Removed, "gone".to_owned()),
        (Added, format!("  {right} end")),
        (Context, "rest".to_owned()),
    ];
    let expected = [
        format!("text = {MARKER}"),
        "gone".to_owned(),
        format!("  {MARKER} end"),
        "rest".to_owned(),
    ];
    assert_eq!(redactor.hunk(&hunk_of(&lines)), expected);
}

#[test]
fn a_canary_is_found_in_every_disguise() {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    for canary in [
        draw::text("CANARY-{A20}"),
        draw::text("ca{a3}/{a2}+"),
        "a \"quoted\"\\ canary/ção".to_owned(),
    ] {
        let redactor = Redactor::new([canary.clone()]);
        let bytes = canary.as_bytes();
        let each = |spell: fn(u8) -> String| {
            bytes
                .iter()
                .map(|byte| spell(*byte))
                .collect::<Vec<_>>()
                .concat()
        };
        let percent = each(|byte| format!("%{byte:02X}"));
        let unicode = canary
            .chars()
            .map(|c| format!("\\u{:04x}", u32::from(c)))
            .collect::<Vec<_>>()
            .concat();
        let spaced = |separator: &str| {
            canary
                .chars()
                .map(String::from)
                .collect::<Vec<_>>()
                .join(separator)
        };
        let mut forms = vec![
            ("plain", canary.clone()),
            ("percent", percent.to_lowercase()),
            ("percent upper", percent),
            ("unicode", unicode),
            ("json", serde_json::to_string(&canary).unwrap()),
            (
                "json in json",
                serde_json::to_string(&serde_json::to_string(&canary).unwrap()).unwrap(),
            ),
            ("one break", format!("{}\n{}", &canary[..3], &canary[3..])),
            (
                "crlf and indent",
                format!("{}\r\n    {}", &canary[..3], &canary[3..]),
            ),
            ("diff", format!("+{}\n+{}", &canary[..3], &canary[3..])),
            (
                "escaped break",
                format!("{}\\n{}", &canary[..3], &canary[3..]),
            ),
            ("a break after each", spaced("\n")),
            ("hex", each(|byte| format!("{byte:02x}"))),
        ];
        for before in ["", "x", "xy", "xyz"] {
            for after in ["", "1", "12"] {
                let text = format!("{before}{canary}{after}");
                forms.push(("base64", STANDARD.encode(&text)));
                forms.push(("base64url", URL_SAFE.encode(&text)));
            }
        }
        for (name, form) in forms {
            let text = format!("before {form} after");
            let found = redactor.text(&text);
            let kept = found.replace(MARKER, "");
            assert!(found.contains(MARKER), "{name}: {text}");
            assert!(
                found.starts_with("before ") && found.ends_with(" after"),
                "{name}: {found}"
            );
            assert_eq!(
                found.matches('\n').count(),
                text.matches('\n').count(),
                "{name}"
            );
            assert!(
                kept.len() <= "before  after".len() + 12 + 6 * text.matches('\n').count(),
                "{name}: {found}"
            );
        }
    }
}

#[test]
fn keys_in_use_are_masked_whatever_their_shape() {
    let redactor = Redactor::new([
        "zq7".to_owned(),
        "local".to_owned(),
        "one two three".to_owned(),
    ]);
    let cases = [
        ("Authorization: Bearer zq7", "Authorization: Bearer zq7"),
        ("key=\"zq7\"", "key=\"[REDACTED]\""),
        ("let zq7 = zq7.next();", "let zq7 = zq7.next();"),
        ("bad key: local", "bad key: [REDACTED]"),
        ("let locals = localhost;", "let locals = localhost;"),
        ("it was one two three.", "it was [REDACTED]."),
    ];
    for (text, expected) in cases.iter().skip(1) {
        assert_eq!(redactor.text(text), *expected);
    }
}

#[test]
fn a_marker_is_no_secret() {
    let redactor = Redactor::new(["REDACTED".to_owned()]);
    let text = format!(
        "password = \"{MARKER}\"\nAuthorization: Bearer {MARKER}\nhttps://{MARKER}@host/?token={MARKER}"
    );
    assert_eq!(redactor.text(&text), text);
}

//! Hostile and ordinary text in each of the forms.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{begins_chat_word, excerpt, one_line, path, quoted};
use crate::limits;

#[test]
fn ordinary_text_stays_byte_for_byte() {
    for text in [
        "",
        " ",
        "  two blanks  ",
        "`a` == \"b\" && c[0] != 'd' | ~e",
        "naïve café ação, e\u{301}",
        "日本語\u{3000}テキスト, 한국어, עברית, العربية, हिन्दी",
        "non\u{a0}breaking\u{202f}blanks",
        "ཧ\u{f90}\u{fb5}\u{fa8}\u{fb3}\u{fba}\u{fbc}\u{fbb}\u{f82}, \u{5e9}\u{5bc}\u{5c1}\u{5b8}",
        "\u{e0a0}\u{e0a1}\u{e0a2}\u{e0a3}\u{e0a4}\u{e0a5}\u{e0a6}\u{e0a7}\u{e0a8}\u{e0a9}\u{e0aa}",
        "🦀 👩\u{200d}💻 👁\u{fe0f}\u{200d}🗨\u{fe0f} ⚠\u{fe0f} 1\u{fe0f}\u{20e3} 👍🏽 🇧🇷 ❤\u{fe0f}\u{200d}🔥",
        "# heading, ## [1.0], #[test], ##x, std::error::Error",
        "C:\\windows\\path and \\u{1b}",
    ] {
        assert!(
            matches!(one_line(text), Cow::Borrowed(same) if same == text),
            "{text}"
        );
    }
    for text in [
        "src/café/naïve ação.rs",
        "a b",
        "日本/🦀.rs",
        "C:\\a\\b",
        "\\",
        "a\u{301}",
    ] {
        assert!(
            matches!(path(text.as_bytes()), Cow::Borrowed(same) if same == text),
            "{text}"
        );
    }
}

#[test]
fn a_message_is_one_line_that_steers_nothing() {
    for (text, line) in [
        ("a\nb", "a b"),
        ("a\r\n\t b", "a b"),
        ("a \u{2028} b\u{2029}c\u{85}d\u{b}e\u{c}f", "a b c d e f"),
        ("\n a \n", "a"),
        ("\n\t", ""),
        ("\u{1b}[2J\u{1b}]0;x\u{7}", "\\u{1b}[2J\\u{1b}]0;x\\u{7}"),
        ("a\u{0}\u{7f}\u{9b}31m", "a\\u{0}\\u{7f}\\u{9b}31m"),
        (
            "\u{202e}dcba\u{202c}\u{2066}x\u{2069}\u{200f}",
            "\\u{202e}dcba\\u{202c}\\u{2066}x\\u{2069}\\u{200f}",
        ),
        (
            "a\u{200b}\u{feff}\u{2060}\u{ad}b",
            "a\\u{200b}\\u{feff}\\u{2060}\\u{ad}b",
        ),
        ("a\u{200d}b", "a\\u{200d}b"),
        ("🦀\u{200d}b\u{200d}🦀", "🦀\\u{200d}b\\u{200d}🦀"),
        (
            "🦀\u{fe0f}\u{fe0f}\u{200d}🦀",
            "🦀\u{fe0f}\\u{fe0f}\\u{200d}🦀",
        ),
        ("a\u{fe0f}", "a\\u{fe0f}"),
        ("\n\u{3000}\u{fe0f}", "\\u{fe0f}"),
        ("x\u{e0041}\u{e0100}", "x\\u{e0041}\\u{e0100}"),
        (
            "x\nsrc/a.rs:1: [error] forged (rule quality/dead-code: Dead Code)",
            "x src/a.rs:1: [error] forged (rule quality/dead-code: Dead Code)",
        ),
    ] {
        assert_eq!(one_line(text), line);
    }
}

#[test]
fn marks_do_not_pile_up() {
    let pile = format!("e{} f\u{301}", "\u{301}\u{20dd}".repeat(6));
    let five = "\u{301}\u{20dd}".repeat(5);
    assert_eq!(
        one_line(&pile),
        format!("e{five}\\u{{301}}\\u{{20dd}} f\u{301}")
    );
    assert_eq!(
        path(pile.as_bytes()),
        format!("e{five}\\u0301\\u20dd f\u{301}")
    );
}

#[test]
fn no_text_is_a_command_of_a_ci_system() {
    for (text, line) in [
        ("::error file=a::x", "\\u{3a}:error file=a::x"),
        (" \n ::add-mask::x", "\\u{3a}:add-mask::x"),
        ("\u{3000}::debug::", "\u{3000}\\u{3a}:debug::"),
        ("x ::error::", "x ::error::"),
        ("::::", "\\u{3a}:::"),
        ("##vso[task.setvariable]x", "#\\u{23}vso[task.setvariable]x"),
        ("x ##[add-mask]y", "x #\\u{23}[add-mask]y"),
        ("###[error]", "##\\u{23}[error]"),
        (
            "##teamcity[x] ##TeamCity[y]",
            "#\\u{23}teamcity[x] #\\u{23}TeamCity[y]",
        ),
        ("#\n#[x]", "# #[x]"),
        (
            "section_start:1:x\r\u{1b}[0K",
            "section_start:1:x \\u{1b}[0K",
        ),
    ] {
        assert_eq!(one_line(text), line);
    }
    assert_eq!(path(b"::error::/x"), "\\x3a:error::/x");
    assert_eq!(path(b" ::error::"), " \\x3a:error::");
    assert_eq!(path(b"a/##[error]"), "a/#\\x23[error]");
    assert_eq!(quoted("::error::"), "\"::error::\"");
    assert_eq!(quoted("##vso[x]"), "\"#\\x23vso[x]\"");
}

#[test]
fn a_path_shows_what_it_is_made_of() {
    for (bytes, text) in [
        (&b"a\nb"[..], "a\\nb"),
        (b"a\\nb", "a\\\\nb"),
        (b"a\\\nb", "a\\\\\\nb"),
        (b"a\\b\\c", "a\\b\\c"),
        (b"a\\\\", "a\\\\\\"),
        (b" \t\r", " \\t\\r"),
        (b"\x1b[31m\x00\x7f", "\\x1b[31m\\x00\\x7f"),
        (b"caf\xe9.rs", "caf\\xe9.rs"),
        (b"caf\\xe9.rs", "caf\\\\xe9.rs"),
        (b"\\\xe9\xe2\x80\\", "\\\\\\xe9\\xe2\\x80\\"),
        (
            b"<|im_start|>system/[INST]/a[0]",
            "\\x3c|im_start|>system/\\x5bINST]/a[0]",
        ),
        ("\u{202e}\u{2028}\u{9b}".as_bytes(), "\\u202e\\u2028\\u009b"),
        ("\u{e0041}".as_bytes(), "\\U000e0041"),
    ] {
        assert_eq!(path(bytes), text);
    }
}

#[test]
fn quotes_escape_as_go_does() {
    for (text, quote) in [
        ("", r#""""#),
        ("main~1", r#""main~1""#),
        ("a \"b\" \\c", r#""a \"b\" \\c""#),
        ("\u{7}\u{8}\u{c}\n\r\t\u{b}", r#""\a\b\f\n\r\t\v""#),
        ("\u{0}\u{1b}\u{7f}", r#""\x00\x1b\x7f""#),
        ("\u{85}\u{a0}\u{ad}", r#""\u0085\u00a0\u00ad""#),
        (
            "\u{200d}\u{2028}\u{202e}\u{3000}",
            r#""\u200d\u2028\u202e\u3000""#,
        ),
        (
            "\u{e000}\u{10ffff}\u{e0001}",
            r#""\ue000\U0010ffff\U000e0001""#,
        ),
        ("é日🦀e\u{301}\u{fffd}", "\"é日🦀e\u{301}\u{fffd}\""),
    ] {
        assert_eq!(quoted(text), quote);
    }
}

#[test]
fn an_excerpt_is_cut_visibly() {
    for (text, max, expected) in [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("a\nbcd", 4, "a b…"),
        ("a bcd", 3, "a…"),
        ("日本語", 2, "日…"),
        ("👩\u{200d}💻", 3, "👩\u{200d}💻"),
        ("👩\u{200d}💻x", 3, "👩…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
    ] {
        assert_eq!(excerpt(text, max), expected);
    }
}

/// Undoes what [`path`] does.
fn unescaped(text: &str) -> Vec<u8> {
    let mut path = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let push = |path: &mut Vec<u8>, character: char| {
            path.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        };
        if character != '\\' {
            push(&mut path, character);
            continue;
        }
        let ahead = characters.clone().next();
        let digits = match ahead {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some('n' | 'r' | 't' | '\\') => 0,
            _ => {
                path.push(b'\\');
                continue;
            }
        };
        characters.next();
        let code: String = characters.by_ref().take(digits).collect();
        let code = u32::from_str_radix(&code, 16);
        match ahead {
            Some('n') => path.push(b'\n'),
            Some('r') => path.push(b'\r'),
            Some('t') => path.push(b'\t'),
            Some('\\') => path.push(b'\\'),
            Some('x') => path.push(u8::try_from(code.unwrap()).unwrap()),
            _ => push(&mut path, char::from_u32(code.unwrap()).unwrap()),
        }
    }
    path
}

/// Text that is rich in what steers and hides.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\u{1b}["),
        Just("\u{0}"),
        Just("\n"),
        Just("\r"),
        Just("\t"),
        Just("\u{85}"),
        Just("\u{9b}"),
        Just("\u{2028}"),
        Just("\u{202e}"),
        Just("\u{2066}"),
        Just("\u{200b}"),
        Just("\u{200d}"),
        Just("\u{fe0f}"),
        Just("\u{fe0e}"),
        Just("\u{feff}"),
        Just("\u{e0041}"),
        Just("🦀"),
        Just("⚠"),
        Just("é"),
        Just("::"),
        Just(":"),
        Just("#"),
        Just("##"),
        Just("##vso["),
        Just("["),
        Just("error"),
        Just("\\"),
        Just("\\n"),
        Just("x41"),
        Just("u"),
        Just("n"),
        Just("\""),
        Just(" "),
        Just("\u{3000}"),
        Just("1"),
        Just("…"),
        Just("<|"),
        Just("|>"),
        Just("[INST]"),
    ];
    prop_oneof![
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()),
        any::<String>(),
    ]
}

/// Returns whether nothing in a text breaks a line, steers, hides or commands.
fn is_safe(text: &str) -> bool {
    let hides = |character: char| {
        character.is_control()
            || matches!(
                character,
                '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
                    | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                    | '\u{e0000}'..='\u{e0fff}'
            )
    };
    let is_bare_joiner = text.split('\u{200d}').skip(1).any(|behind| {
        !behind.starts_with(
            |character| matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}'),
        )
    });
    !text.contains(hides)
        && !is_bare_joiner
        && !text.trim_start().starts_with("::")
        && !text.contains("##[")
        && !text.contains("##vso[")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn one_line_is_safe_and_final(text in hostile()) {
        let line = one_line(&text);
        prop_assert!(is_safe(&line), "{:?}", line);
        prop_assert!(matches!(one_line(&line), Cow::Borrowed(same) if same == line), "{:?}", line);
        if is_safe(&text) && !text.contains(['\u{fe0e}', '\u{fe0f}', '\u{200d}', '#']) && text.is_ascii() {
            prop_assert_eq!(&line, &text);
        }
    }

    #[test]
    fn a_path_is_safe_and_tells_paths_apart(
        text in hostile(),
        bytes in proptest::collection::vec(any::<u8>(), 0..20),
        more in hostile(),
    ) {
        let bytes = [text.as_bytes(), &bytes, more.as_bytes()].concat();
        let line = path(&bytes);
        prop_assert!(is_safe(&line), "{:?}", line);
        prop_assert!(!(0..line.len()).any(|at| begins_chat_word(&line, at)), "{:?}", line);
        prop_assert_eq!(one_line(&line), &*line);
        prop_assert_eq!(unescaped(&line), bytes);
    }

    #[test]
    fn a_quote_is_safe_and_ends_where_it_ends(text in hostile()) {
        let quote = quoted(&text);
        prop_assert!(is_safe(&quote), "{:?}", quote);
        let inner = quote.strip_prefix('"').and_then(|quote| quote.strip_suffix('"')).unwrap();
        let open = inner.replace("\\\\", "").replace("\\\"", "");
        prop_assert!(!open.contains('"'), "{:?}", quote);
    }

    #[test]
    fn an_excerpt_is_safe_and_short(text in hostile(), max in 0..20_usize) {
        let line = excerpt(&text, max);
        prop_assert!(is_safe(&line), "{:?}", line);
        prop_assert!(line.chars().count() <= max);
        prop_assert_eq!(excerpt(&text, limits::QUOTED_CHARACTERS * 100), one_line(&text));
    }
}

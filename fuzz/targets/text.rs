//! Any text of others, cleaned for a terminal: one line, nothing hidden, no command of a CI system,
//! and cleaning it again changes nothing.
#![no_main]

use aurumcode_core::text;
use libfuzzer_sys::fuzz_target;

const EXCERPT: usize = 40;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let line = text::one_line(&text);
    assert_harmless(&line);
    assert!(!line.starts_with("::"), "{line:?}");
    assert_eq!(text::one_line(&line), line);

    let path = text::path(bytes);
    assert_harmless(&path);
    assert!(!path.starts_with("::"), "{path:?}");

    let quoted = text::quoted(&text);
    assert_harmless(&quoted);
    assert!(quoted.len() >= 2 && quoted.starts_with('"') && quoted.ends_with('"'));

    let excerpt = text::excerpt(&text, EXCERPT);
    assert_harmless(&excerpt);
    assert!(excerpt.chars().count() <= EXCERPT);
});

fn assert_harmless(line: &str) {
    let steers = |character: char| {
        character.is_control()
            || matches!(
                character,
                '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
                    | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                    | '\u{e0000}'..='\u{e007f}'
            )
    };
    assert!(!line.contains(steers), "{line:?}");
    for command in ["##[", "##vso[", "##teamcity["] {
        assert!(!line.contains(command), "{line:?}");
    }
}

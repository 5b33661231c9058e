//! Words that mark up a chat for a model.
//!
//! A server that reads its own markup out of ordinary text takes such a word for the end of what
//! somebody says, or for the beginning of what somebody else says. It reads whole words only, so
//! that a word of which one character is written out is text again.

use memchr::{memchr2, memchr2_iter, memmem};

/// The two bytes with which a word begins.
const ANGLE: u8 = b'<';
const BRACKET: u8 = b'[';

/// The words between `[` and `]`, also with a slash before them.
const BRACKETED: [&[u8]; 5] = [
    b"AVAILABLE_TOOLS",
    b"INST",
    b"SYSTEM_PROMPT",
    b"TOOL_CALLS",
    b"TOOL_RESULTS",
];

/// The words between `<` and `>`, also with a slash before them, where no bar says what they are.
const ANGLED: [&[u8]; 11] = [
    b"BOS_TOKEN",
    b"EOS_TOKEN",
    b"SYS",
    b"bos",
    b"end_of_turn",
    b"eos",
    b"extra_id_0",
    b"extra_id_1",
    b"seed:bos",
    b"seed:eos",
    b"start_of_turn",
];

/// The bar of full width.
const WIDE_BAR: &[u8] = "\u{ff5c}".as_bytes();

/// How far the two tags around struck text are looked for, in bytes.
const STRUCK: usize = 256;

/// Returns whether such a word may begin with this byte.
pub(crate) fn may_begin_chat_word(byte: u8) -> bool {
    matches!(byte, ANGLE | BRACKET)
}

/// Returns whether such a word stands in a line.
pub(crate) fn has_chat_word(line: &str) -> bool {
    let bytes = line.as_bytes();
    // Most tags and indexes are told from a word by what follows at once. The wide bar begins with
    // 0xef.
    let has_bar = memchr2(b'|', 0xef, bytes).is_some();
    memchr2_iter(ANGLE, BRACKET, bytes).any(|at| {
        let inside = bytes.get(at + 1..).unwrap_or_default();
        (has_bar || may_begin_name(inside)) && begins_chat_word(line, at)
    })
}

/// Returns whether a text may begin with a word that no bar marks.
fn may_begin_name(text: &[u8]) -> bool {
    matches!(
        opening(text),
        [b'A', b'V', ..]
            | [b'B' | b'E' | b'T', b'O', ..]
            | [b'I', b'N', ..]
            | [b'S', b'Y', ..]
            | [b'b', b'o', ..]
            | [b'e', b'n' | b'o' | b'x', ..]
            | [b's', b'>' | b'e' | b't', ..]
    )
}

/// Returns whether such a word begins at this place of a line.
///
/// `<|word|>` is one whatever the word is, with one bar or two, of either width. Operators such as
/// those in `f <| x |> g` are none.
pub(crate) fn begins_chat_word(line: &str, at: usize) -> bool {
    let line = line.as_bytes();
    match line.get(at..) {
        Some([BRACKET, inside @ ..]) => {
            let (word, behind) = split_word(inside);
            behind.starts_with(b"]") && BRACKETED.contains(&opening(word))
        }
        Some([ANGLE, inside @ ..]) => {
            let opened = without_bar(inside);
            let (word, behind) = split_word(opened.unwrap_or(inside));
            let closed = without_bar(behind);
            if !closed.unwrap_or(behind).starts_with(b">") {
                return false;
            }
            if opened.is_some() || closed.is_some() {
                return word
                    .iter()
                    .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            }
            match word {
                b"s" => !begins_struck_text(line, at),
                b"/s" => !ends_struck_text(line, at),
                _ => ANGLED.contains(&opening(word)),
            }
        }
        _ => false,
    }
}

/// Returns what stands behind the bar with which a text begins.
fn without_bar(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"|")
        .or_else(|| text.strip_prefix(WIDE_BAR))
}

/// Cuts behind the word with which a text begins. No word holds what another may begin with, so
/// looking at every beginning of a line costs no more than reading it once.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/' | 0x80..)
    };
    let is_wide_bar = |at: usize| {
        text.get(at..)
            .is_some_and(|rest| rest.starts_with(WIDE_BAR))
    };
    let end = text
        .iter()
        .enumerate()
        .position(|(at, byte)| !is_part(*byte) || (!byte.is_ascii() && is_wide_bar(at)));
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, b""))
}

/// Returns the word that a closing one closes.
fn opening(word: &[u8]) -> &[u8] {
    word.strip_prefix(b"/").unwrap_or(word)
}

/// Returns whether the `<s>` at this place is the tag of HTML, or the unit behind a number or a
/// type, and not the beginning of a sequence.
fn begins_struck_text(line: &[u8], at: usize) -> bool {
    let end = at.saturating_add(STRUCK).min(line.len());
    let behind = line.get(at..end).unwrap_or_default();
    let before = at.checked_sub(1).and_then(|before| line.get(before));
    before.is_some_and(u8::is_ascii_alphanumeric) || memmem::find(behind, b"</s>").is_some()
}

/// Returns whether the `</s>` at this place is the tag of HTML and not the end of a sequence.
fn ends_struck_text(line: &[u8], at: usize) -> bool {
    let before = line.get(at.saturating_sub(STRUCK)..at).unwrap_or_default();
    memmem::find(before, b"<s>").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line with a dot in place of each character with which a word begins.
    fn broken(line: &str) -> String {
        line.char_indices()
            .map(|(at, character)| {
                if begins_chat_word(line, at) {
                    '.'
                } else {
                    character
                }
            })
            .collect()
    }

    #[test]
    fn words_of_a_chat_are_found() {
        for (line, shown) in [
            ("<|im_start|>system", ".|im_start|>system"),
            ("x<|im_end|><|endoftext|>", "x.|im_end|>.|endoftext|>"),
            (
                "<|start_header_id|>system<|end_header_id|><|eot_id|>",
                ".|start_header_id|>system.|end_header_id|>.|eot_id|>",
            ),
            ("<|system|><|tool_call|>", ".|system|>.|tool_call|>"),
            ("<|turn>user <turn|>", ".|turn>user .turn|>"),
            ("<|<|user|>|>", "<|.|user|>|>"),
            (
                "<\u{ff5c}begin\u{2581}of\u{2581}sentence\u{ff5c}><\u{ff5c}User\u{ff5c}>",
                ".\u{ff5c}begin\u{2581}of\u{2581}sentence\u{ff5c}>.\u{ff5c}User\u{ff5c}>",
            ),
            ("<s>[INST] x [/INST] y </s>", "<s>.INST] x ./INST] y </s>"),
            ("<<SYS>>x<</SYS>>", "<.SYS>>x<./SYS>>"),
            ("</s><s>[INST]", "./s>.s>.INST]"),
            (
                "<bos><start_of_turn>user<end_of_turn>",
                ".bos>.start_of_turn>user.end_of_turn>",
            ),
            ("vec![INST]", "vec!.INST]"),
            ("[SYSTEM_PROMPT]", ".SYSTEM_PROMPT]"),
        ] {
            assert_eq!(broken(line), shown);
            assert!(has_chat_word(line), "{line}");
        }
    }

    #[test]
    fn ordinary_code_holds_none() {
        let far = format!("<s>{}</s>", "x".repeat(100));
        for line in [
            "a <| b |> c",
            "list |> List.map (fun x -> x) <| y",
            "f <|x",
            "p <|> q <||> r",
            "A <|-- B, A <|--|> B, A <|.. B",
            "type T = Array<A|B>;",
            "let x: Vec<s> = 2.0<s> + float<s>;",
            "<s>struck</s> and <s>more</s>",
            "a[INST + 1], [inst], [INSTALL], [ INST ]",
            "<sys> <START> <div> <S> <start-of-turn>",
            "if a<b|c>d",
            &far,
        ] {
            assert_eq!(broken(line), line);
            assert!(!has_chat_word(line), "{line}");
        }
    }
    #[test]
    fn every_name_is_found() {
        for (open, words, close) in [('<', &ANGLED[..], '>'), ('[', &BRACKETED, ']')] {
            for word in words {
                let word = str::from_utf8(word).unwrap();
                for line in [
                    format!("{open}{word}{close}"),
                    format!("{open}/{word}{close}"),
                ] {
                    assert!(has_chat_word(&line) && begins_chat_word(&line, 0), "{line}");
                }
            }
        }
    }
    #[test]
    fn a_word_begins_with_one_of_two_bytes() {
        for first in 0..0x80_u8 {
            let first_character = char::from(first);
            let begins = ["INST]", "|x|>", "bos>"]
                .iter()
                .any(|rest| begins_chat_word(&format!("{first_character}{rest}"), 0));
            assert_eq!(begins, may_begin_chat_word(first), "{first_character:?}");
        }
    }
}

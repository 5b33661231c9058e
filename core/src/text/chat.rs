//! Words that mark up a chat for a model.
//!
//! A server that reads its own markup out of ordinary text takes such a word for the end of what
//! somebody says, or for the beginning of what somebody else says. It reads whole words only, so
//! that a word of which one character is written out is text again.

use memchr::{memchr2_iter, memmem};

/// The words between `[` and `]`, also with a slash before them.
const BRACKETED: [&str; 5] = [
    "AVAILABLE_TOOLS",
    "INST",
    "SYSTEM_PROMPT",
    "TOOL_CALLS",
    "TOOL_RESULTS",
];

/// The words between `<` and `>`, also with a slash before them, where no bar says what they are.
const ANGLED: [&str; 11] = [
    "BOS_TOKEN",
    "EOS_TOKEN",
    "SYS",
    "bos",
    "end_of_turn",
    "eos",
    "extra_id_0",
    "extra_id_1",
    "seed:bos",
    "seed:eos",
    "start_of_turn",
];

/// How far the two tags around struck text are looked for, in bytes.
const STRUCK: usize = 256;

/// Returns whether such a word stands in a line.
pub(crate) fn has_chat_word(line: &str) -> bool {
    memchr2_iter(b'<', b'[', line.as_bytes()).any(|at| begins_chat_word(line, at))
}

/// Returns whether such a word begins at this place of a line.
///
/// `<|word|>` is one whatever the word is, with one bar or two, of either width. Operators such as
/// those in `f <| x |> g` are none.
pub(crate) fn begins_chat_word(line: &str, at: usize) -> bool {
    let rest = line.get(at..).unwrap_or_default();
    if let Some(inside) = rest.strip_prefix('[') {
        // Most brackets stand around an index, and looking at one character is enough.
        if !inside.starts_with(|first: char| first.is_ascii_uppercase() || first == '/') {
            return false;
        }
        let (word, behind) = split_word(inside);
        return behind.starts_with(']') && BRACKETED.contains(&opening(word));
    }
    let Some(inside) = rest.strip_prefix('<') else {
        return false;
    };
    let opened = inside.strip_prefix(is_bar);
    let (word, behind) = split_word(opened.unwrap_or(inside));
    let closed = behind.strip_prefix(is_bar);
    if !closed.unwrap_or(behind).starts_with('>') {
        return false;
    }
    if opened.is_some() || closed.is_some() {
        return word.contains(char::is_alphanumeric);
    }
    match word {
        "s" => !begins_struck_text(line.as_bytes(), at),
        "/s" => !ends_struck_text(line.as_bytes(), at),
        _ => ANGLED.contains(&opening(word)),
    }
}

fn is_bar(character: char) -> bool {
    matches!(character, '|' | '\u{ff5c}')
}

/// Cuts behind the word with which a text begins. No word holds what another may begin with, so
/// looking at every beginning of a line costs no more than reading it once.
fn split_word(text: &str) -> (&str, &str) {
    let is_part = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/' | '\u{2581}')
    };
    let length = text.len() - text.trim_start_matches(is_part).len();
    text.split_at_checked(length).unwrap_or((text, ""))
}

/// Returns the word that a closing one closes.
fn opening(word: &str) -> &str {
    word.strip_prefix('/').unwrap_or(word)
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
}

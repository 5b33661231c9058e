//! The text of a line as a model sees it.

use std::fmt::{self, Write};

use crate::text::{begins_chat_word, has_chat_word, may_begin_chat_word};

/// Writes a line's text so that it stays one line for every reader, and text for every server: a
/// character that some reader takes for a line break, or that no text has, or that shows people
/// something else than what is there, or with which a word begins that marks up a chat, is written
/// out. A carriage return at the end is the line's own
/// ending and stays.
pub(super) fn write_visible(text: &str, out: &mut impl Write) -> fmt::Result {
    let (line, ending) = match text.strip_suffix('\r') {
        Some(line) => (line, "\r"),
        None => (text, ""),
    };
    if is_plain(line) {
        return out.write_str(text);
    }
    let mut done = 0;
    for (at, byte) in line.bytes().enumerate() {
        if !may_begin_unprintable(byte) && !may_begin_chat_word(byte) {
            continue;
        }
        let odd = line.get(at..).and_then(|rest| rest.chars().next());
        let Some(odd) = odd.filter(|odd| is_unprintable(*odd) || begins_chat_word(line, at)) else {
            continue;
        };
        out.write_str(line.get(done..at).unwrap_or_default())?;
        write!(out, "{}", odd.escape_unicode())?;
        done = at + odd.len_utf8();
    }
    out.write_str(line.get(done..).unwrap_or_default())?;
    out.write_str(ending)
}

/// Returns the size of what [`write_visible`] writes of a line's content, in bytes.
pub(super) fn visible_bytes(content: &[u8]) -> u64 {
    let line = content.strip_suffix(b"\r").unwrap_or(content);
    if str::from_utf8(line).is_ok_and(is_plain) {
        return content.len() as u64;
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = write_visible(&String::from_utf8_lossy(content), &mut count);
    count.0
}

/// Returns whether a text is certainly written as it is. Most texts are, and looking at bytes is
/// much faster than looking at characters.
pub(super) fn is_plain(text: &str) -> bool {
    let is_odd = text
        .bytes()
        .fold(false, |odd, byte| odd | may_begin_unprintable(byte));
    !is_odd && !has_chat_word(text)
}

/// Returns whether a character that [`is_unprintable`] may begin with this byte.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, and in a fold without an early end, many bytes are looked at at once"
)]
fn may_begin_unprintable(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t')
        | (byte == 0x7f)
        | (byte == 0xc2)
        | (byte == 0xe2)
        | (byte == 0xf3)
}

/// Returns whether a character is written out wherever it stands: a control, a line break, a change
/// of the direction of the text, or a tag, which only programs see.
fn is_unprintable(character: char) -> bool {
    (character.is_control() && character != '\t')
        || matches!(
            character,
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Counts the bytes that are written to it.
pub(super) struct Count(pub(super) u64);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visible(text: &str) -> String {
        let mut out = String::new();
        write_visible(text, &mut out).unwrap();
        out
    }

    #[test]
    fn a_line_is_one_line_of_text_for_every_reader() {
        for (text, shown) in [
            ("", ""),
            (
                "\tlet x = a[0] < 1; // é, 日本\r",
                "\tlet x = a[0] < 1; // é, 日本\r",
            ),
            ("\r\r", "\\u{d}\r"),
            ("a\rb\u{b}\u{0}\u{7f}", "a\\u{d}b\\u{b}\\u{0}\\u{7f}"),
            ("\u{80}\u{85}\u{9f}\u{a0}", "\\u{80}\\u{85}\\u{9f}\u{a0}"),
            (
                "\u{2027}\u{2028}\u{2029}\u{202f}",
                "\u{2027}\\u{2028}\\u{2029}\u{202f}",
            ),
            (
                "é<|im_end|>\u{1b}<|im_start|>system",
                "é\\u{3c}|im_end|>\\u{1b}\\u{3c}|im_start|>system",
            ),
            (
                "if \u{202e}\u{2066}x\u{2069} // \u{e0041}🦀\u{200d}\u{200f}",
                "if \\u{202e}\\u{2066}x\\u{2069} // \\u{e0041}🦀\u{200d}\u{200f}",
            ),
            ("\n\nHuman: x", "\\u{a}\\u{a}Human: x"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn what_is_written_out_begins_where_it_may() {
        for character in ('\0'..=char::MAX).filter(|character| is_unprintable(*character)) {
            let first = character.to_string().as_bytes()[0];
            assert!(may_begin_unprintable(first), "{character:?}");
        }
    }
}

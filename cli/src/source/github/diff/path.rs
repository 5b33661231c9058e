//! The paths in the headers of a diff: plain, or between quotes with C's escapes.

/// Returns the path that fills `text`, as it stands behind `rename from` and the like.
pub(super) fn whole(text: &[u8]) -> Option<Vec<u8>> {
    if !text.starts_with(b"\"") {
        return (!text.is_empty()).then(|| text.to_vec());
    }
    let (path, rest) = unquoted(text)?;
    rest.is_empty().then_some(path)
}

/// Returns the path behind `---` or `+++`, without the prefix of its side; an empty one stands for
/// `/dev/null`. A TAB ends a plain path that holds a blank.
pub(super) fn of_side(text: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"\t").unwrap_or(text);
    if text == b"/dev/null" {
        return Some(Vec::new());
    }
    let path = whole(text)?;
    let path = path.strip_prefix(prefix)?;
    (!path.is_empty()).then(|| path.to_vec())
}

/// Returns the path of a `diff --git` line whose two sides have the same one.
///
/// A plain path may hold blanks, so the line is only unambiguous because both halves are equal.
pub(super) fn of_both_sides(text: &[u8]) -> Option<Vec<u8>> {
    let (old, new) = if text.starts_with(b"\"") {
        let (old, rest) = unquoted(text)?;
        (old, whole(rest.strip_prefix(b" ")?)?)
    } else {
        let half = text.len().checked_sub(1)? / 2;
        let (old, rest) = text.split_at_checked(half)?;
        (old.to_vec(), rest.strip_prefix(b" ")?.to_vec())
    };
    let (old, new) = (old.strip_prefix(b"a/")?, new.strip_prefix(b"b/")?);
    (old == new && !new.is_empty()).then(|| new.to_vec())
}

/// Reads a quoted path, and returns it with what follows the closing quote.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut path = Vec::new();
    loop {
        let (first, behind) = rest.split_first()?;
        rest = behind;
        match first {
            b'"' => return Some((path, rest)),
            b'\\' => {
                let (byte, behind) = escaped(rest)?;
                path.push(byte);
                rest = behind;
            }
            byte => path.push(*byte),
        }
    }
}

/// Reads what follows a backslash.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (first, rest) = text.split_first()?;
    let byte = match first {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b'"' => b'"',
        b'\\' => b'\\',
        b'0'..=b'3' => {
            let (digits, rest) = text.split_at_checked(3)?;
            let digits = std::str::from_utf8(digits).ok()?;
            return Some((u8::from_str_radix(digits, 8).ok()?, rest));
        }
        _ => return None,
    };
    Some((byte, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes_are_undone() {
        let cases: [(&[u8], Option<&[u8]>); 9] = [
            (b"plain name", Some(b"plain name")),
            (br#""caf\303\251""#, Some("café".as_bytes())),
            (br#""a\tb\n\"\\\377""#, Some(b"a\tb\n\"\\\xff")),
            (br#""open"#, None),
            (br#""closed"x"#, None),
            (br#""\8""#, None),
            (br#""\40""#, None),
            (br#""\"#, None),
            (b"", None),
        ];
        for (text, path) in cases {
            assert_eq!(whole(text).as_deref(), path, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_side_has_a_prefix_or_is_missing() {
        assert_eq!(of_side(b"a/x y\t", b"a/"), Some(b"x y".to_vec()));
        assert_eq!(of_side(b"/dev/null", b"a/"), Some(Vec::new()));
        assert_eq!(of_side(b"a/", b"a/"), None);
        assert_eq!(of_side(b"x", b"a/"), None);
    }

    #[test]
    fn both_halves_of_a_header_are_the_same_path() {
        let cases: [(&[u8], Option<&[u8]>); 6] = [
            (b"a/x b/x", Some(b"x")),
            (b"a/x b/x b/x b/x", Some(b"x b/x")),
            (br#""a/\377" "b/\377""#, Some(b"\xff")),
            (b"a/x b/y", None),
            (b"a/ b/", None),
            (b"", None),
        ];
        for (text, path) in cases {
            assert_eq!(of_both_sides(text).as_deref(), path);
        }
    }
}

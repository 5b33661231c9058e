//! What the bytes of one side of a file say about it.

use aurumcode_core::limits;

/// The most bytes that a pointer of git's large file storage has.
const POINTER_BYTES: usize = 1024;

/// Returns whether a NUL byte stands near the beginning, git's own sign of a binary file.
pub(super) fn is_binary(content: &[u8]) -> bool {
    content
        .iter()
        .take(limits::BINARY_PROBE_BYTES)
        .any(|byte| *byte == 0)
}

/// Returns whether the content is a pointer of git's large file storage.
pub(in crate::source) fn is_large_file_pointer(content: &[u8]) -> bool {
    content.len() < POINTER_BYTES
        && content.starts_with(b"version https://git-lfs.github.com/spec/")
        && content
            .split(|byte| *byte == b'\n')
            .any(|line| line.starts_with(b"oid "))
}

/// Returns the number of lines; a last one without a line feed counts.
pub(super) fn line_count(content: &[u8]) -> u64 {
    let feeds: u64 = content.iter().map(|byte| u64::from(*byte == b'\n')).sum();
    feeds + u64::from(content.last().is_some_and(|byte| *byte != b'\n'))
}

/// Splits a line from its line feed, and says whether it had one.
pub(in crate::source) fn without_feed(line: &[u8]) -> (&[u8], bool) {
    match line.strip_suffix(b"\n") {
        Some(content) => (content, true),
        None => (line, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_counts_up_to_the_end_of_the_probe() {
        let mut content = vec![b'a'; limits::BINARY_PROBE_BYTES];
        assert!(!is_binary(&content));
        content.push(0);
        assert!(!is_binary(&content));
        content[limits::BINARY_PROBE_BYTES - 1] = 0;
        assert!(is_binary(&content));
    }

    #[test]
    fn lines_are_counted_with_and_without_a_feed_at_the_end() {
        let cases: [(&[u8], u64); 5] =
            [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)];
        for (content, count) in cases {
            assert_eq!(line_count(content), count);
        }
    }

    #[test]
    fn a_pointer_is_told_from_a_text_about_pointers() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
        assert!(is_large_file_pointer(pointer));
        assert!(!is_large_file_pointer(
            b"version https://git-lfs.github.com/spec/v1\n"
        ));
        assert!(!is_large_file_pointer(
            &[pointer.as_slice(), &[b'x'; 1024]].concat()
        ));
    }
}

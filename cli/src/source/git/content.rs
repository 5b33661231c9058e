//! What the bytes of one side of a file say about it.

use aurumcode_core::limits;

/// The most bytes that a pointer of git's large file storage has.
const POINTER_BYTES: usize = 1024;

/// Returns whether a NUL byte stands near the beginning, git's own sign of a binary file.
pub(super) fn is_binary(content: &[u8]) -> bool {
    let probe = content.len().min(limits::BINARY_PROBE_BYTES);
    let probe = content.get(..probe).unwrap_or_default();
    memchr::memchr(0, probe).is_some()
}

/// Returns whether the content is a pointer of git's large file storage: its lines and no other, so
/// that nothing is hidden behind the beginning of one.
pub(in crate::source) fn is_large_file_pointer(content: &[u8]) -> bool {
    if content.len() >= POINTER_BYTES {
        return false;
    }
    let Ok(text) = std::str::from_utf8(content) else {
        return false;
    };
    let mut lines = text.lines();
    let version = lines.next();
    let mut fields = lines.skip_while(|line| line.starts_with("ext-") && is_digest_field(line));
    version.is_some_and(|line| {
        line.strip_prefix("version https://git-lfs.github.com/spec/v")
            .is_some_and(is_number)
    }) && fields
        .next()
        .is_some_and(|line| line.starts_with("oid ") && is_digest_field(line))
        && fields
            .next()
            .is_some_and(|line| line.strip_prefix("size ").is_some_and(is_number))
        && fields.next().is_none()
}

/// Returns whether a line is a name, a blank, and hexadecimal digits as a SHA-256 has them.
fn is_digest_field(line: &str) -> bool {
    let digest = line
        .split_once(" sha256:")
        .map(|(name, digest)| (name.contains(' '), digest));
    digest.is_some_and(|(has_blank, digest)| {
        !has_blank
            && (1..=64).contains(&digest.len())
            && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the number of lines; a last one without a line feed counts.
pub(super) fn line_count(content: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', content).count() as u64;
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
    fn a_pointer_is_a_pointer_only_as_a_whole() {
        let pointer = format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n",
            "0".repeat(64)
        );
        assert!(is_large_file_pointer(pointer.as_bytes()));
        let extended =
            pointer.replacen("oid", &format!("ext-0-x sha256:{}\noid", "a".repeat(64)), 1);
        assert!(is_large_file_pointer(extended.as_bytes()));
        let others = [
            format!("{pointer}os.system(x)\n"),
            pointer.replacen("size 12345", "size os.system(x)", 1),
            pointer.replacen("size 12345", "os.system(x)\nsize 12345", 1),
            pointer.replacen("sha256:0", "sha256:x", 1),
            pointer.replacen("oid ", "ext-os.system(x);oid ", 1),
            pointer.replacen("/v1", "/v1 os.system(x)", 1),
        ];
        for other in others {
            assert!(!is_large_file_pointer(other.as_bytes()), "{other}");
        }
    }

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

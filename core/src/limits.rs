//! Every bound of the engine, each named once.

/// The most bytes of one file's side that are sent; a file above it is named in a notice.
pub const FILE_BYTES: u64 = 1_048_576;

/// The most lines of one file's side that are sent; a file above it is named in a notice.
pub const FILE_LINES: u64 = 10_000;

/// How many leading bytes of a side are searched for the NUL byte that makes a file binary.
pub const BINARY_PROBE_BYTES: usize = 8000;

/// The most bytes of a model's answer that are read.
pub const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// The most bytes that are read of what a server sends with an error.
pub const ERROR_BYTES: usize = 64 * 1024;

/// The most findings that one answer may hold; an answer with more is not understood.
pub const ANSWER_RECORDS: usize = 100_000;

/// The most JSON values that are read from one answer.
pub const ANSWER_VALUES: usize = 2_000_000;

/// How deep the JSON of an answer may be nested.
pub const ANSWER_DEPTH: usize = 128;

/// The most bytes of one cache entry that are read.
pub const ENTRY_BYTES: u64 = 16 * 1024 * 1024;

/// The most files that one change may hold.
pub const CHANGE_FILES: usize = 100_000;

/// The most bytes of diff that one change may hold.
pub const CHANGE_BYTES: u64 = 512 * 1024 * 1024;

/// The most bytes of one call's prompt where the model's window is not known. It is about a
/// million tokens, the largest window that is common.
pub const PROMPT_BYTES: u64 = 4 * 1024 * 1024;

/// How many bytes are counted as one token where nothing better is known.
pub const BYTES_PER_TOKEN: u64 = 4;

/// How many calls of one run are open at the same time unless the user says otherwise.
pub const CONCURRENT_CALLS: usize = 4;

/// The most calls of one run that a user can have open at the same time.
pub const CONCURRENT_CALLS_AT_MOST: usize = 64;

/// The most characters of a server's own words that a message quotes.
pub const QUOTED_CHARACTERS: usize = 200;

/// The most bytes of an added line that the patterns of the security pass look at. Longer lines are
/// generated; secrets are looked for in all of them.
pub const SCREENED_LINE_BYTES: usize = 16 * 1024;

/// The most places of one line that one pattern of the security pass tries.
pub const MATCHES_OF_A_LINE: usize = 64;

/// The most lines after its first one that the security pass takes into one statement.
pub const STATEMENT_LINES: usize = 12;

/// The most bytes of one side of a file that are read to find out what changed; a larger file is
/// named in a notice. It is the size up to which the large hosts accept a file.
pub const SIDE_BYTES: u64 = 100 * 1024 * 1024;

/// The most lines of one side of a file that are compared with the other side; a file with more
/// is named in a notice. Each takes about a hundred bytes of memory while it is compared.
pub const SIDE_LINES: u64 = 2_000_000;

/// The most bytes of a changed path.
pub const PATH_BYTES: usize = 4096;

/// The most bytes of content that are read to find renamed files; beyond it a file that was
/// renamed and edited is a deleted and an added one.
pub const RENAME_BYTES: u64 = 128 * 1024 * 1024;

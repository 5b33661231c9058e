//! Which pull request is meant, and where GitHub's API is.

use std::fmt;

use aurumcode_core::text::quoted;
use aurumcode_provider_http::Url;

/// Where the API is unless the user says otherwise.
const DEFAULT_ROOT: &str = "https://api.github.com";

/// The host of that.
pub(super) const PUBLIC_HOST: &str = "api.github.com";

/// A repository's name, `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepositoryName {
    pub(crate) owner: String,
    pub(crate) name: String,
}

impl RepositoryName {
    /// Reads `owner/name`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (owner, name) = text.split_once('/')?;
        (is_name(owner) && is_name(name)).then(|| Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        })
    }
}

fn is_name(part: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !part.is_empty() && part != "." && part != ".." && part.bytes().all(is_allowed)
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.owner, self.name)
    }
}

/// A pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PullRequest {
    pub(crate) repository: RepositoryName,
    pub(crate) number: u64,
}

/// Reads the address of the API. The error is a whole message that begins with `variable`.
pub(crate) fn root(variable: &str, value: Option<&str>) -> Result<Url, String> {
    let value = value.map_or(DEFAULT_ROOT, str::trim);
    let url = Url::parse(value).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    url.ok_or_else(|| {
        format!(
            "{variable} must be an http or https URL without credentials and query, such as \
             https://github.example.com/api/v3 (got {})",
            quoted(value)
        )
    })
}

/// Returns the address of something below `root`.
pub(super) fn below(root: &Url, segments: &[&str], query: &[(&str, String)]) -> Url {
    let mut url = root.clone();
    // Every URL with a host has segments, and `root` takes no other.
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_an_owner_and_a_name() {
        let parsed = |text| RepositoryName::parse(text).map(|name| name.to_string());
        assert_eq!(parsed("o-1/r_x.y").as_deref(), Some("o-1/r_x.y"));
        for wrong in ["", "o", "o/", "/r", "o/r/x", "o/..", "o /r", "o/r?x", "ö/r"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_root_keeps_its_path() {
        let address = |root_text: &str| {
            let root = root("X", Some(root_text)).unwrap();
            below(&root, &["repos", "o", "r"], &[("page", "2".to_owned())]).to_string()
        };
        for (root, whole) in [
            ("http://h:1", "http://h:1/repos/o/r?page=2"),
            ("http://h:1/", "http://h:1/repos/o/r?page=2"),
            ("https://h/api/v3", "https://h/api/v3/repos/o/r?page=2"),
            (" https://h/api/v3/ ", "https://h/api/v3/repos/o/r?page=2"),
        ] {
            assert_eq!(address(root), whole);
        }
    }

    #[test]
    fn a_root_that_is_none_is_refused() {
        for wrong in [
            "h",
            "ftp://h",
            "https://u:p@h",
            "https://h?x=1",
            "https://h#x",
        ] {
            let message = root("X", Some(wrong)).unwrap_err();
            assert!(
                message.starts_with("X must be an http or https URL"),
                "{message}"
            );
        }
    }
}

//! Who answers, as far as that could change the answer.

use crate::encode::Encoder;

/// Everything that is asked of whatever answers and could change its answer. It holds no secret.
///
/// A source states its own with [`Identity::stated`]. Names of registrations and the effects of
/// layers are added by [`super::Stack`] alone, so a layer cannot lose what it never holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    parts: Option<Vec<(String, String)>>,
}

impl Identity {
    /// States an identity as named parts, in an order that the source keeps.
    pub fn stated<N, V>(parts: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<String>,
        V: Into<String>,
    {
        let parts = parts
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        Self { parts: Some(parts) }
    }

    /// Says that nobody can say what answers. Such an answer is never stored and never served.
    pub fn unstated() -> Self {
        Self { parts: None }
    }

    /// Returns whether the identity is stated.
    pub fn is_stated(&self) -> bool {
        self.parts.is_some()
    }

    /// Appends a part. An unstated identity stays unstated.
    pub(super) fn extended(mut self, name: &str, value: &str) -> Self {
        if let Some(parts) = &mut self.parts {
            parts.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Writes the identity into a key.
    pub(crate) fn encode(&self, encoder: &mut Encoder) {
        let Self { parts } = self;
        match parts {
            None => encoder.count("identity", 0),
            Some(parts) => {
                // An identity that is stated and empty is another one than none.
                encoder.count("identity", parts.len() as u64 + 1);
                for (name, value) in parts {
                    encoder.field(&format!("identity: {name}"), value.as_bytes());
                }
            }
        }
    }
}

//! The bytes of an entry.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{CallRecords, Entry, Key};
use crate::answer::Record;
use crate::encode::Encoder;

/// The version of the format. Another version is no entry for this one, in either direction.
const FORMAT: u32 = 1;

/// How every entry of every version begins, so that a torn or outdated one is still known as ours.
pub(super) const MAGIC: &[u8] = b"{\"aurumcode_entry\":";

/// Why bytes are no entry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum FormatError {
    #[error("it is no entry of this version")]
    Malformed,
    #[error("it is the entry of another key")]
    OtherKey,
    #[error("its checksum is wrong")]
    Checksum,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    aurumcode_entry: u32,
    key: Key,
    checksum: String,
    payload: Payload,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    path: String,
    model: String,
    served_by: Option<String>,
    adaptations: Vec<String>,
    records: Vec<Record>,
    calls: Vec<CallRecords>,
}

/// Writes an entry.
pub(super) fn encode(entry: &Entry) -> Result<Vec<u8>, serde_json::Error> {
    let Entry {
        key,
        path,
        model,
        served_by,
        adaptations,
        records,
        calls,
    } = entry.clone();
    let payload = Payload {
        path,
        model,
        served_by,
        adaptations,
        records,
        calls,
    };
    let checksum = checksum(&key, &payload)?;
    serde_json::to_vec(&Document {
        aurumcode_entry: FORMAT,
        key,
        checksum,
        payload,
    })
}

/// Reads an entry. Whatever this version would not have written, byte for byte, for this key is
/// none.
pub(super) fn decode(key: &Key, bytes: &[u8]) -> Result<Entry, FormatError> {
    let document: Document =
        serde_json::from_slice(bytes).map_err(|_error| FormatError::Malformed)?;
    if document.aurumcode_entry != FORMAT {
        return Err(FormatError::Malformed);
    }
    if document.key != *key {
        return Err(FormatError::OtherKey);
    }
    match checksum(key, &document.payload) {
        Ok(right) if right == document.checksum => {}
        Ok(_) | Err(_) => return Err(FormatError::Checksum),
    }
    if serde_json::to_vec(&document).is_ok_and(|written| written == bytes) {
        let Payload {
            path,
            model,
            served_by,
            adaptations,
            records,
            calls,
        } = document.payload;
        Ok(Entry {
            key: *key,
            path,
            model,
            served_by,
            adaptations,
            records,
            calls,
        })
    } else {
        Err(FormatError::Malformed)
    }
}

fn checksum(key: &Key, payload: &Payload) -> Result<String, serde_json::Error> {
    let mut encoder = Encoder::new("aurumcode cache entry 1");
    encoder.field("key", key.to_string().as_bytes());
    encoder.field("payload", &serde_json::to_vec(payload)?);
    Ok(hex::encode(encoder.digest()))
}

//! The bytes of an entry.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{CallRecords, Entry, Key};
use crate::answer::Record;
use crate::encode::{Encoder, digits};

/// How every entry of every version begins, so that a torn or outdated one is still known as ours.
pub(super) const MAGIC: &str = "{\"aurumcode_entry\":";

/// What follows it, up to the key's digits. The number is the version of the format: another version
/// is no entry for this one, in either direction.
const BEFORE_KEY: &str = "1,\"key\":\"";

/// What stands between the key's digits and those of the checksum.
const BEFORE_CHECKSUM: &str = "\",\"checksum\":\"";

/// What stands between the checksum's digits and the payload.
const BEFORE_PAYLOAD: &[u8] = b"\",\"payload\":";

/// What stands behind the payload.
const AFTER_PAYLOAD: &[u8] = b"}";

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
    let payload = serde_json::to_vec(&payload)?;
    let checksum = checksum(&key, &payload);
    Ok([
        before_checksum(&key).as_slice(),
        &checksum,
        BEFORE_PAYLOAD,
        &payload,
        AFTER_PAYLOAD,
    ]
    .concat())
}

/// Reads an entry. Whatever this version would not have written, byte for byte, for this key is
/// none.
pub(super) fn decode(key: &Key, bytes: &[u8]) -> Result<Entry, FormatError> {
    let Some(rest) = bytes.strip_prefix(before_checksum(key).as_slice()) else {
        return Err(
            if bytes.starts_with([MAGIC, BEFORE_KEY].concat().as_bytes()) {
                FormatError::OtherKey
            } else {
                FormatError::Malformed
            },
        );
    };
    let (said, rest) = rest.split_first_chunk().ok_or(FormatError::Malformed)?;
    let written = rest
        .strip_prefix(BEFORE_PAYLOAD)
        .and_then(|rest| rest.strip_suffix(AFTER_PAYLOAD))
        .ok_or(FormatError::Malformed)?;
    if *said != checksum(key, written) {
        return Err(FormatError::Checksum);
    }
    let payload: Payload = serde_json::from_slice(written).map_err(|_| FormatError::Malformed)?;
    if serde_json::to_vec(&payload).is_ok_and(|again| again == written) {
        let Payload {
            path,
            model,
            served_by,
            adaptations,
            records,
            calls,
        } = payload;
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

fn before_checksum(key: &Key) -> Vec<u8> {
    [
        MAGIC.as_bytes(),
        BEFORE_KEY.as_bytes(),
        &key.digits(),
        BEFORE_CHECKSUM.as_bytes(),
    ]
    .concat()
}

fn checksum(key: &Key, payload: &[u8]) -> [u8; 64] {
    let mut encoder = Encoder::new("aurumcode cache entry 1");
    encoder.field("key", &key.digits());
    encoder.field("payload", payload);
    digits(&encoder.digest())
}

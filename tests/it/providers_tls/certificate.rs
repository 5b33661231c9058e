//! Certificates that are made when a test runs, so that none can expire and no key lies around.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};

// Tags of DER.
const BOOLEAN: u8 = 0x01;
const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OBJECT: u8 = 0x06;
const TEXT: u8 = 0x0c;
const SHORT_TIME: u8 = 0x17;
const LONG_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;
const ADDRESS: u8 = 0x87;

// Object identifiers, encoded.
const PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const CURVE: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const SIGNATURE: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
const CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];

/// A root that nobody trusts by himself.
pub(super) struct Root {
    name: &'static str,
    key: EcdsaKeyPair,
    certificate: Vec<u8>,
}

/// The certificate of a server and its key, as DER.
pub(super) struct Signed {
    pub(super) certificate: Vec<u8>,
    pub(super) key: Vec<u8>,
}

impl Root {
    pub(super) fn new(name: &'static str) -> Self {
        let (key, _) = key_pair();
        let is_root = extension(
            CONSTRAINTS,
            true,
            &der(SEQUENCE, &[&der(BOOLEAN, &[&[0xff]])]),
        );
        let certificate = certificate(name, &key, name, &key, &is_root);
        Self {
            name,
            key,
            certificate,
        }
    }

    /// Signs a certificate of the loopback address.
    pub(super) fn sign(&self) -> Signed {
        let (key, encoded) = key_pair();
        let names = der(SEQUENCE, &[&der(ADDRESS, &[&[127, 0, 0, 1]])]);
        let names = extension(OTHER_NAMES, false, &names);
        Signed {
            certificate: certificate(self.name, &self.key, "server", &key, &names),
            key: encoded,
        }
    }

    /// Returns the certificate as a file holds it.
    pub(super) fn pem(&self) -> String {
        let text = BASE64_STANDARD.encode(&self.certificate);
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    }
}

fn key_pair() -> (EcdsaKeyPair, Vec<u8>) {
    let random = SystemRandom::new();
    let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
    let encoded = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    let key = EcdsaKeyPair::from_pkcs8(algorithm, encoded.as_ref(), &random).unwrap();
    (key, encoded.as_ref().to_vec())
}

fn certificate(
    issuer: &str,
    signs: &EcdsaKeyPair,
    subject: &str,
    key: &EcdsaKeyPair,
    extension: &[u8],
) -> Vec<u8> {
    let algorithm = der(SEQUENCE, &[&der(OBJECT, &[SIGNATURE])]);
    let kind = der(
        SEQUENCE,
        &[&der(OBJECT, &[PUBLIC_KEY]), &der(OBJECT, &[CURVE])],
    );
    let content = der(
        SEQUENCE,
        &[
            &der(VERSION, &[&der(INTEGER, &[&[2]])]),
            &der(INTEGER, &[&[1]]),
            &algorithm,
            &name(issuer),
            &der(
                SEQUENCE,
                &[
                    &der(SHORT_TIME, &[b"000101000000Z"]),
                    &der(LONG_TIME, &[b"21000101000000Z"]),
                ],
            ),
            &name(subject),
            &der(SEQUENCE, &[&kind, &bits(key.public_key().as_ref())]),
            &der(EXTENSIONS, &[&der(SEQUENCE, &[extension])]),
        ],
    );
    let signature = signs.sign(&SystemRandom::new(), &content).unwrap();
    der(SEQUENCE, &[&content, &algorithm, &bits(signature.as_ref())])
}

fn name(text: &str) -> Vec<u8> {
    let parts = [
        &der(OBJECT, &[COMMON_NAME])[..],
        &der(TEXT, &[text.as_bytes()]),
    ];
    der(SEQUENCE, &[&der(SET, &[&der(SEQUENCE, &parts)])])
}

fn extension(kind: &[u8], critical: bool, value: &[u8]) -> Vec<u8> {
    let flag = if critical {
        der(BOOLEAN, &[&[0xff]])
    } else {
        Vec::new()
    };
    der(
        SEQUENCE,
        &[&der(OBJECT, &[kind]), &flag, &der(OCTET_STRING, &[value])],
    )
}

fn bits(content: &[u8]) -> Vec<u8> {
    der(BIT_STRING, &[&[0], content])
}

/// Encodes a value of up to 64 KiB.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
    let mut encoded = vec![tag];
    match (high, low) {
        (0, 0..0x80) => encoded.push(low),
        (0, _) => encoded.extend([0x81, low]),
        _ => encoded.extend([0x82, high, low]),
    }
    encoded.extend(content);
    encoded
}

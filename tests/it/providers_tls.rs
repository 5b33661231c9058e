//! An endpoint whose certificate a root of the user's own has signed.

mod certificate;

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use insta::assert_snapshot;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;

use certificate::{Root, Signed};

use crate::support::{Repository, World, finding};

/// Starts an endpoint that finds something in `a.txt`.
fn serve(signed: Signed) -> SocketAddr {
    let key = PrivateKeyDer::try_from(signed.key).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(signed.certificate)], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            // Whoever does not trust the certificate hangs up.
            let _ = answer(stream.unwrap(), &config);
        }
    });
    address
}

fn answer(stream: TcpStream, config: &Arc<ServerConfig>) -> io::Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).unwrap();
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap();
            }
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    let issue = json!({
        "file": "a.txt", "line": 1, "severity": "warning", "rule_id": "quality/dead-code",
        "message": "Something about a.txt.",
    });
    let content = json!({"issues": [issue]}).to_string();
    let body = json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]});
    let body = body.to_string();
    let stream = stream.get_mut();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}

#[test]
fn a_root_of_the_users_own_is_trusted_when_it_is_named() {
    let root = Root::new("a root of the test");
    let address = serve(root.sign()).to_string();
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.set("LLM_BASE_URL", format!("https://{address}/v1"));
    let file = world.path("roots.pem");
    world.set("SSL_CERT_FILE", &file);

    fs::write(&file, root.pem()).unwrap();
    let outcome = world.run(&["review", "--base", "base"]);
    assert_eq!(
        (outcome.code, &outcome.stdout),
        (Some(0), &finding("a.txt")),
        "{outcome}"
    );

    // It will not be trusted a moment later either, so nobody asks again.
    fs::write(&file, Root::new("another root").pem()).unwrap();
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome.with(&address, "<address>"), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: the certificate of https://<address>/v1/chat/completions is not trusted (invalid peer certificate: UnknownIssuer): set SSL_CERT_FILE to a PEM file with the root certificate that signed it
    ");
}

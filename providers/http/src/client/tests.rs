//! The client against servers that behave and servers that do not.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use aurumcode_core::provider::Environment;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;

fn client(variables: &[(&str, &str)]) -> Client {
    Client::new(HttpSettings::read(&Environment::new(variables.iter().copied())).unwrap())
}

fn post(url: &str) -> Outgoing {
    let mut headers = HeaderMap::new();
    headers.insert("x-open", HeaderValue::from_static("open"));
    Outgoing {
        method: Method::POST,
        url: Url::parse(url).unwrap(),
        headers,
        credentials: vec![(AUTHORIZATION, "Bearer hush-hush".to_owned().into())],
        body: b"the body".to_vec(),
    }
}

/// Serves raw bytes to every connection, and says nothing more until the client goes away.
async fn raw_server(response: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let response = response.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(&response).await;
                let _ = stream.flush().await;
                let _ = stream.read(&mut request).await;
            });
        }
    });
    format!("http://{address}/")
}

#[tokio::test]
async fn sends_the_whole_request_once() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(200).set_body_string("fine"))
        .expect(1)
        .mount(&server)
        .await;
    let reply = client(&[])
        .exchange(&post(&format!("{}/a?b=c", server.uri())))
        .await
        .unwrap();
    assert_eq!((reply.status.as_u16(), &*reply.body), (200, &b"fine"[..]));
    let request = &server.received_requests().await.unwrap()[0];
    assert_eq!(request.url.path(), "/a");
    assert_eq!(request.url.query(), Some("b=c"));
    assert_eq!(request.body, b"the body");
    assert_eq!(
        request.headers.get("authorization").unwrap(),
        "Bearer hush-hush"
    );
    assert_eq!(request.headers.get("x-open").unwrap(), "open");
    let agent = request.headers.get("user-agent").unwrap().to_str().unwrap();
    assert!(agent.starts_with("aurumcode/"));
}

#[tokio::test]
async fn a_redirect_on_the_same_origin_keeps_method_body_and_key() {
    let server = MockServer::start().await;
    Mock::given(path("/old"))
        .respond_with(ResponseTemplate::new(308).insert_header("location", "/new"))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path("/new"))
        .and(header("authorization", "Bearer hush-hush"))
        .respond_with(ResponseTemplate::new(200))
        .expect(1)
        .mount(&server)
        .await;
    let reply = client(&[])
        .exchange(&post(&format!("{}/old", server.uri())))
        .await
        .unwrap();
    assert_eq!(reply.url.path(), "/new");
    assert!(!reply.credentials_withheld);
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests[1].body, b"the body");
}

#[tokio::test]
async fn a_redirect_to_another_origin_and_back_never_carries_the_key_again() {
    let (home, away) = (MockServer::start().await, MockServer::start().await);
    for (server, from, to) in [
        (&home, "/start", format!("{}/away", away.uri())),
        (&away, "/away", format!("{}/back", home.uri())),
    ] {
        Mock::given(path(from))
            .respond_with(ResponseTemplate::new(307).insert_header("location", to))
            .expect(1)
            .mount(server)
            .await;
    }
    Mock::given(path("/back"))
        .respond_with(ResponseTemplate::new(200))
        .expect(1)
        .mount(&home)
        .await;
    let reply = client(&[])
        .exchange(&post(&format!("{}/start", home.uri())))
        .await
        .unwrap();
    assert!(reply.credentials_withheld);
    let away = away.received_requests().await.unwrap();
    assert_eq!(away[0].headers.get("authorization"), None);
    let home = home.received_requests().await.unwrap();
    assert!(home[0].headers.contains_key("authorization"));
    assert_eq!(home[1].headers.get("authorization"), None);
}

#[tokio::test]
async fn redirects_end() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(307).insert_header("location", "/again"))
        .expect(6)
        .mount(&server)
        .await;
    let error = client(&[])
        .exchange(&post(&server.uri()))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Rejected);
}

#[tokio::test]
async fn a_redirect_that_would_lose_the_body_is_a_reply() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(302).insert_header("location", "/elsewhere"))
        .expect(1)
        .mount(&server)
        .await;
    let reply = client(&[]).exchange(&post(&server.uri())).await.unwrap();
    assert_eq!(reply.status.as_u16(), 302);
}

#[test]
fn the_key_follows_to_the_same_origin_and_its_encrypted_form_alone() {
    let same = |first: &str, next: &str| {
        same_owner(&Url::parse(first).unwrap(), &Url::parse(next).unwrap())
    };
    assert!(same("https://h/a", "https://h/b"));
    assert!(same("http://h/a", "https://h/a"));
    assert!(!same("https://h/a", "http://h/a"));
    assert!(!same("http://h:8080/a", "https://h/a"));
    assert!(!same("http://h/a", "https://h:8443/a"));
    assert!(!same("https://h/a", "https://h:8443/a"));
    assert!(!same("https://h/a", "https://h.example/a"));
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let mut response = b"HTTP/1.1 200 OK\r\ncontent-length: 5368709120\r\n\r\n".to_vec();
    response.resize(response.len() + ANSWER_BYTES + 1, b'x');
    let error = client(&[])
        .exchange(&post(&raw_server(response).await))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.billing),
        (ErrorKind::BadResponse, Billing::Unknown)
    );
}

#[tokio::test]
async fn an_answer_that_unpacks_to_too_much_is_cut_off() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 1024 * 1024];
    for _ in 0..64 {
        gzip.write_all(&zeros).unwrap();
    }
    let packed = gzip.finish().unwrap();
    assert!(packed.len() < 200_000);
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("content-encoding", "gzip")
                .set_body_bytes(packed),
        )
        .mount(&server)
        .await;
    let error = client(&[])
        .exchange(&post(&server.uri()))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadResponse);
}

#[tokio::test]
async fn a_packed_answer_is_unpacked() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"fine").unwrap();
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("content-encoding", "gzip")
                .set_body_bytes(gzip.finish().unwrap()),
        )
        .mount(&server)
        .await;
    let reply = client(&[]).exchange(&post(&server.uri())).await.unwrap();
    assert_eq!(reply.body, b"fine");
}

#[tokio::test]
async fn an_answer_that_is_not_packed_as_it_says_is_no_answer() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("content-encoding", "gzip")
                .set_body_string("plain"),
        )
        .mount(&server)
        .await;
    let error = client(&[])
        .exchange(&post(&server.uri()))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadResponse);
}

#[tokio::test]
async fn the_body_of_an_error_is_read_up_to_its_bound() {
    let mut response = b"HTTP/1.1 500 No\r\ncontent-length: 5368709120\r\n\r\n".to_vec();
    response.resize(response.len() + 2 * ERROR_BYTES, b'x');
    let reply = client(&[])
        .exchange(&post(&raw_server(response).await))
        .await
        .unwrap();
    assert_eq!(
        (reply.status.as_u16(), reply.body.len()),
        (500, ERROR_BYTES)
    );
}

#[tokio::test]
async fn a_cut_line_is_a_transport_error_of_unknown_cost() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await;
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
            .await;
    });
    let error = client(&[]).exchange(&post(&url)).await.unwrap_err();
    assert_eq!(
        (error.kind, error.billing),
        (ErrorKind::Transport, Billing::Unknown)
    );
}

#[tokio::test]
async fn nobody_at_home_costs_nothing_and_names_the_address_without_its_query() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = client(&[])
        .exchange(&post(&format!("http://{address}/v1?key=hush-hush")))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.billing),
        (ErrorKind::Transport, Billing::NotBilled)
    );
    assert_eq!(
        error.message,
        format!(
            "cannot connect to http://{address}/v1 (Connection refused (os error 111)): check that \
             the server runs and that its address is right"
        )
    );
}

#[tokio::test]
async fn a_server_that_says_nothing_is_left_in_time() {
    let url = raw_server(Vec::new()).await;
    let error = client(&[("AURUMCODE_HTTP_TIMEOUT", "0.2")])
        .exchange(&post(&url))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.billing),
        (ErrorKind::Timeout, Billing::Unknown)
    );
    assert!(error.message.contains("within 0.2 s"), "{error}");
}

#[tokio::test]
async fn a_loopback_address_is_asked_without_a_proxy_and_another_through_it() {
    let (server, proxy) = (MockServer::start().await, MockServer::start().await);
    for mock in [&server, &proxy] {
        Mock::given(method("POST"))
            .respond_with(ResponseTemplate::new(200))
            .expect(1)
            .mount(mock)
            .await;
    }
    let client = client(&[("http_proxy", &proxy.uri()), ("NO_PROXY", "intern.example")]);
    client.exchange(&post(&server.uri())).await.unwrap();
    client
        .exchange(&post("http://far.example/v1"))
        .await
        .unwrap();
    let proxied = proxy.received_requests().await.unwrap();
    assert_eq!(proxied[0].headers.get("host").unwrap(), "far.example");
}

/// The system's certificates are found through variables of the process itself, so this test runs
/// itself again with variables under which there are none.
#[tokio::test]
async fn a_machine_without_certificates_asks_loopback_over_http_and_nothing_over_https() {
    const MARK: &str = "AURUMCODE_TEST_WITHOUT_CERTIFICATES";
    const NAME: &str = "client::tests::a_machine_without_certificates_asks_loopback_over_http_and_nothing_over_https";
    if std::env::var_os(MARK).is_none() {
        let nowhere = tempfile::tempdir().unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture"])
            .env(MARK, "1")
            .env("SSL_CERT_FILE", nowhere.path().join("none.pem"))
            .env("SSL_CERT_DIR", nowhere.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}"
        );
        return;
    }
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(200))
        .expect(1)
        .mount(&server)
        .await;
    let client = client(&[]);
    client.exchange(&post(&server.uri())).await.unwrap();
    let error = client
        .exchange(&post(&server.uri().replace("http:", "https:")))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Setup);
    assert!(error.message.contains("SSL_CERT_FILE"), "{error}");
}

#[tokio::test]
async fn a_file_without_certificates_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("roots.pem");
    std::fs::write(&file, "nothing").unwrap();
    let client = client(&[("SSL_CERT_FILE", file.to_str().unwrap())]);
    let error = client
        .exchange(&post("https://127.0.0.1:9/"))
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Setup);
    assert!(error.message.contains(file.to_str().unwrap()), "{error}");
}

#[tokio::test]
async fn a_dropped_call_leaves_the_client_usable() {
    let stuck = raw_server(Vec::new()).await;
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(200))
        .mount(&server)
        .await;
    let client = client(&[]);
    let call = post(&stuck);
    tokio::time::timeout(Duration::from_millis(100), client.exchange(&call))
        .await
        .unwrap_err();
    client.exchange(&post(&server.uri())).await.unwrap();
}

#[test]
fn nothing_that_prints_a_request_prints_its_key() {
    assert!(!format!("{:?}", post("http://h/")).contains("hush"));
}

use super::*;

fn redacted(text: &str) -> String {
    Redactor::default().text(text).into_owned()
}

/// Joins the pieces of a value that must not stand whole in this file.
fn joined(pieces: &[&str]) -> String {
    pieces.concat()
}

#[test]
fn values_of_secret_names_are_masked() {
    let secret = joined(&["s3cr", "3t-Va1", "ue9"]);
    let forms = [
        "DB_PASSWORD=@",
        "export API_KEY=\"@\"",
        "password: @",
        "  password: \"@\"",
        "{\"password\": \"@\", \"user\": \"bob\"}",
        "{\\\"password\\\": \\\"@\\\"}",
        "String apiKey = \"@\";",
        "apiKey := \"@\"",
        "let password: &str = \"@\";",
        "const password: string = '@';",
        "var password string = \"@\"",
        ":password => '@',",
        "password: '@',",
        "client_secret = \"@\"",
        "<add key=\"Password\" value=\"@\" />",
        "<password>@</password>",
        "<user password=\"@\"/>",
        "config[\"password\"] = \"@\"",
        "client.setPassword(\"@\");",
        "env.put(\"API_KEY\", \"@\");",
        "define('DB_PASSWORD', '@');",
        "#define PASSWORD \"@\"",
        "Server=db;User Id=app;Password=@;Timeout=3",
        "tool --password @ --verbose",
        "tool --password=@ --verbose",
        "GET /login?user=bob&password=@&next=1",
        "ALTER USER bob WITH PASSWORD '@';",
        "(def config {:password \"@\"})",
        "password = String::from(\"@\");",
        "const key = process.env.API_KEY || \"@\";",
        "- name: DB_PASSWORD\n  value: \"@\"",
        "{\"name\": \"DB_PASSWORD\", \"value\": \"@\"}",
        "password =\n    \"@\"",
        "curl -H \"X-Api-Key: @\" https://example.com",
        "spring.datasource.password=@",
        "ENV SECRET_KEY @",
    ];
    let mut missed = Vec::new();
    for form in forms {
        let found = redacted(&form.replace('@', &secret));
        if found != form.replace('@', MARKER) {
            missed.push((form, found));
        }
    }
    assert_eq!(missed, []);
}

#[test]
fn ordinary_code_stays() {
    let lines = [
        "token := next()",
        "fn login(password: &str) {}",
        "const token = process.env.GITHUB_TOKEN;",
        "token = os.environ[\"X_TOKEN\"]",
        "if password == other {",
        "password=${DB_PASSWORD}",
        "password: {{ secret }}",
        "api_key = \"<your-key>\"",
        "password: changeme",
        "token = \"xxxxxxxx\"",
        "\"integrity\": \"sha512-abcdef==\"",
        "password: String,",
        "login(password=password, token=self.token)",
        "echo \"password: \" + name + \"x\"",
        "secret: secrets.API_TOKEN",
        "let token = self.next_token()?;",
        "\"js-tokens\": \"^4.0.0\"",
        "\"forgotPassword\": \"Forgot your password?\"",
    ];
    for line in lines {
        assert_eq!(redacted(line), line);
    }
}

#[test]
fn a_value_that_is_looked_up_stays_and_a_literal_beside_it_does_not() {
    let values = [
        "request.form[\"password\"]",
        "request.form['password1']",
        "req.body.password",
        "req.body?.[\"password1\"]",
        "os.environ[\"DB_PASSWORD_2\"]",
        "params[:user][:password]",
        "config.get(\"password1\")",
        "config->get('password1')",
        "$_POST['password1']",
        "$config->{password}",
        "row[\"token\"]",
        "digest[:16]",
        "mapping[b\"key1234\"]",
        "vault.read(\"secret/db-1\")[\"data\"][\"value\"]",
        "await vault.get(\"db1\")",
        "&config[\"password1\"]",
        "!config[\"password1\"]",
        "env!(\"DB_PASSWORD1\")",
        "args[\"password1\"].as_str().unwrap()",
    ];
    let forms = [
        "password = @",
        "DB_PASSWORD=@",
        "export API_KEY=@",
        "    SECRET_KEY=@,",
        "apiKey: @,",
        "login(password=@)",
        "--password=@",
        "token := @",
        "$password = @;",
        "\"password\" => @,",
    ];
    let literal = joined(&["s3cr", "3t-Va1", "ue9"]);
    for line in values
        .iter()
        .flat_map(|value| forms.map(|form| form.replace('@', value)))
    {
        assert_eq!(redacted(&line), line);
        assert_eq!(secrets_in_line(&line, None), [], "{line}");
        let beside = format!("{line} || token = \"@\"");
        let found = redacted(&beside.replace('@', &literal));
        assert_eq!(found, beside.replace('@', MARKER));
    }
}

#[test]
fn a_value_with_brackets_is_no_look_up() {
    let lines = [
        "password = row[3].value",
        "token: data[key1],",
        "secret = digest[n]",
    ];
    for line in lines {
        assert_eq!(redacted(line), line);
    }
    let values = [
        "abc[1]def9xyzQ",
        "correct->horse9battery",
        "hunter[ab]9Kd82jQw",
        "&abc[xy]zzzz",
        "Zebra[\"9Kd82jQw",
        "Zebra[\"9Kd8\"]2jQw",
    ];
    for value in values {
        for name in ["DB_PASSWORD=", "export API_KEY=", "APP_SECRET="] {
            let found = redacted(&format!("{name}{value}"));
            assert!(found.starts_with(&format!("{name}{MARKER}")), "{found}");
        }
    }
}

#[test]
fn a_line_names_its_credentials() {
    let token = joined(&["gh", "p_", "0123456789abcdefABCDEF0123456789abcd"]);
    let line = format!("let a = \"{token}\";");
    let found = secrets_in_line(&line, None);
    assert_eq!(
        found,
        [Secret {
            range: 9..9 + token.len(),
            kind: "GitHub token"
        }]
    );
}

#[test]
fn lines_of_every_kind_are_masked_whatever_stands_beside_them() {
    use crate::change::LineKind::{Added, Context, Removed};

    let canary = joined(&["the-canary", "-of-7-birds"]);
    let redactor = Redactor::new([canary.clone()]);
    let all = [Added, Context, Removed];
    for kinds in [
        &all[..1],
        &all[1..2],
        &all[2..],
        &all[..2],
        &all[1..],
        &[Added, Removed],
        &all,
    ] {
        let mut hunk = Hunk::new(1, 1);
        for kind in kinds {
            hunk.push(*kind, format!("say {canary}").as_bytes(), true);
        }
        let expected = vec![format!("say {MARKER}"); kinds.len()];
        assert_eq!(redactor.hunk(&hunk), expected, "{kinds:?}");
    }
}

//! Where secrets stand: `@@` is the place of the secret.

/// For a token that is told by its own shape; no name gives it away.
pub(crate) const TOKEN: &[&str] = &[
    "let value = \"@@\";",
    "  - @@",
    "{\"data\": \"@@\", \"n\": 1}",
    "// see @@ for details",
    "curl https://example.com/v1/items -d data=@@",
    "+VALUE=@@",
    "log(\"got: @@\\n\")",
    "call('@@', 12)",
    "<item>@@</item>",
    "{\\\"data\\\": \\\"@@\\\"}",
    "a line\nanother with @@\r\nand a third",
];

/// For a value that only its name gives away, in quotes.
pub(crate) const QUOTED: &[&str] = &[
    "password = \"@@\"",
    "db_password: '@@'",
    "{\"password\": \"@@\", \"user\": \"bob\"}",
    "{\\\"client_secret\\\": \\\"@@\\\"}",
    "String apiKey = \"@@\";",
    "private static final String API_KEY = \"@@\";",
    "apiKey := \"@@\"",
    "let password: &str = \"@@\";",
    "const char *password = \"@@\";",
    "char password[] = \"@@\";",
    "const apiKey: string = '@@';",
    "var password string = \"@@\"",
    "const clientSecret = `@@`",
    ":password => '@@',",
    "  'secret_key' => \"@@\",",
    "<add key=\"Password\" value=\"@@\" />",
    "<property name=\"password\" value=\"@@\"/>",
    "<user password=\"@@\"/>",
    "config[\"password\"] = \"@@\"",
    "os.environ[\"API_KEY\"] = \"@@\"",
    "client.setPassword(\"@@\");",
    "env.put(\"API_KEY\", \"@@\");",
    "define('DB_PASSWORD', '@@');",
    "#define WIFI_PASSWORD \"@@\"",
    "ALTER USER bob WITH PASSWORD '@@';",
    "CREATE USER bob IDENTIFIED BY '@@';",
    "(def config {:password \"@@\"})",
    "password = String::from(\"@@\");",
    "password: Some(\"@@\".to_string()),",
    "const key = process.env.API_KEY || \"@@\";",
    "secret = os.getenv(\"APP_SECRET\", \"@@\")",
    "password =\n    \"@@\"",
    "  default_password  =  \"@@\" # comment",
    "$env:API_KEY = \"@@\"",
    "$password = ConvertTo-SecureString \"@@\" -AsPlainText -Force",
    "local api_key = '@@'",
    "secret_key_base: \"@@\"",
    "login(user=\"bob\", password=\"@@\")",
    "requests.post(url, json={\"api_key\": \"@@\"})",
    "if (password == \"@@\") {",
    "+    private_token = \"@@\"",
    "senha = \"@@\"",
    "password := `@@`",
    "- name: DB_PASSWORD\n  value: \"@@\"",
    "{\"name\": \"DB_PASSWORD\", \"value\": \"@@\"}",
];

/// For a value with an escaped double quote inside.
pub(crate) const ESCAPED: &[&str] = &[
    "password = \"@@\"",
    "{\"password\": \"@@\", \"user\": \"bob\"}",
    "String apiKey = \"@@\";",
    "let password: &str = \"@@\";",
    "config[\"password\"] = \"@@\"",
    "client.setPassword(\"@@\");",
];

/// For a value that only its name gives away, without quotes.
pub(crate) const BARE: &[&str] = &[
    "DB_PASSWORD=@@",
    "export API_KEY=@@",
    "password: @@",
    "  client_secret: @@ # staging",
    "spring.datasource.password=@@",
    "db.password = @@",
    "<password>@@</password>",
    "tool --password @@ --verbose",
    "tool --api-key=@@ --verbose",
    "ENV SECRET_KEY @@",
    "ENV SECRET_KEY=@@",
    "docker run -e API_KEY=@@ image",
    "X-Api-Key: @@",
    "curl -H \"X-Api-Key: @@\" https://example.com",
    "GET /login?user=bob&password=@@&next=1",
    "https://example.com/v1?access_token=@@#top",
    "Server=db;User Id=app;Password=@@;Timeout=3",
    "machine example.com login bob password @@",
    "//registry.example.com/:_authToken=@@",
    "      - POSTGRES_PASSWORD=@@",
    "set APP_SECRET=@@",
    "+AUTH_TOKEN=@@",
    "password: |\n  @@\nnext: 1",
];

/// For the value of an `Authorization` header.
pub(crate) const HEADER: &[&str] = &[
    "Authorization: @@",
    "  \"Authorization\": \"@@\",",
    "authorization: \"@@\"",
    "curl -H 'Authorization: @@' https://example.com",
    "curl -H \"Authorization: @@\" https://example.com",
    "headers[\"Authorization\"] = \"@@\"",
    "request.headers.set('Authorization', '@@');",
    ".header(\"Authorization\", \"@@\")",
    "'Authorization' => '@@',",
    "Proxy-Authorization: @@",
    "{\\\"Authorization\\\": \\\"@@\\\"}",
    "+  Authorization: @@",
];

/// For cookies.
pub(crate) const COOKIE: &[&str] = &[
    "Cookie: @@",
    "Set-Cookie: @@; Path=/; HttpOnly",
    "  \"Cookie\": \"@@\",",
    "curl -b '@@' https://example.com",
    "curl --cookie \"@@\" https://example.com",
    "request.setHeader(\"Cookie\", \"@@\");",
    "-H 'cookie: @@' \\",
    "headers['Set-Cookie'] = '@@'",
];

/// For a URL.
pub(crate) const URL: &[&str] = &[
    "url = \"@@\"",
    "DATABASE_URL=@@",
    "endpoint: @@",
    "git clone @@ target",
    "connect('@@')",
    "{\"url\": \"@@\"}",
    "see <@@>.",
    "+  uri: @@",
    "[link](@@)",
];

/// For a key block.
pub(crate) const BLOCK: &[&str] = &[
    "@@",
    "a\n@@\nb",
    "const KEY: &str = \"\\\n@@\n\";",
    "key: |\n@@\nnext: 1",
];

/// For a command line with credentials.
pub(crate) const COMMAND: &[&str] = &[
    "curl @@ https://example.com",
    "curl -s @@ -o file https://example.com",
    "    @@ \\",
    "RUN curl -fsSL @@ https://example.com | sh",
];

//! The words by which names and values are told apart, as data.

use std::collections::HashSet;
use std::sync::OnceLock;

/// A list of words in small letters, with blanks between them.
pub(super) struct Words {
    text: &'static str,
    split: OnceLock<Split>,
}

struct Split {
    all: Vec<&'static str>,
    set: HashSet<&'static str>,
}

impl Words {
    const fn new(text: &'static str) -> Self {
        Self {
            text,
            split: OnceLock::new(),
        }
    }

    fn split(&self) -> &Split {
        self.split.get_or_init(|| Split {
            all: self.text.split_ascii_whitespace().collect(),
            set: self.text.split_ascii_whitespace().collect(),
        })
    }

    /// Returns whether the list holds exactly this word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.split().set.contains(word)
    }

    /// Returns whether the word ends with one of the list.
    pub(super) fn end(&self, word: &str) -> bool {
        // Most words are told by their last byte, without a call.
        let last = word.bytes().next_back();
        let mut all = self.split().all.iter();
        all.any(|known| known.bytes().next_back() == last && word.ends_with(known))
    }
}

/// Words, or ends of words, that name a secret by themselves.
pub(super) static SECRET: Words = Words::new(
    "accesskey accesstoken apikey apitoken authkey authtoken bearertoken bottoken contrasena \
    contraseña credential encryptionkey kennwort motdepasse passcode passphrase passwd \
    password passwort privatekey refreshtoken secret secretkey segredo senha sessiontoken \
    signingkey wachtwoord",
);

/// Words, or ends of words, that name what a person chooses and can remember.
pub(super) static CHOSEN: Words = Words::new(
    "contrasena contraseña kennwort motdepasse pass passcode passphrase passwd password passwort pw \
    pwd senha wachtwoord",
);

/// Words before `key` that make it a secret.
pub(super) static KEY: Words = Words::new(
    "access account aes api app application auth cipher consumer crypt crypto decryption deploy \
    encryption functions hmac licence license master private rsa sas secret sendgrid service \
    shared signing ssh subscription vault wallet webhook write xapi",
);

/// Words before `key` that make it something else.
pub(super) static NOT_KEY: Words = Words::new(
    "alt answer arrow cache column composite config control ctrl delete dict down enter error \
    escape event field foreign group has hot i18n idempotency index is item json left lookup \
    map message meta object option param parent partition press primary property public \
    publishable query registry return right row shift shortcut sort state symbol tab \
    translation unique up",
);

/// Words before `token` that make it a secret.
pub(super) static TOKEN: Words = Words::new(
    "access account admin api app application auth authentication authorization bearer bot ci \
    client cloud cloudflare codecov deploy device digitalocean discord do docker fcm gh github \
    gitlab heroku hf hub id identity invite jwt login npm oauth oauth2 personal private \
    publish push pypi refresh registry remember secret security service session slack snyk \
    sonar telegram upload user vault verification verify webhook",
);

/// Words before `token` that make it something else: a piece of text, a place in a list.
pub(super) static NOT_TOKEN: Words = Words::new(
    "at begin bos bracket cancel cancellation close closing cls colon comma comment \
    continuation csrf cur current delimiter design dot end eof eos error expected first \
    identifier image is keyword last left lex lexer lookahead mask max min next num number \
    open opening operator other pad page paren peek prev previous punctuation right sep \
    separator single special start stop string style syntax text theme total unexpected unk \
    unknown whitespace word",
);

/// Words before `pass` and `pwd` that make them a password.
pub(super) static PASS: Words = Words::new(
    "account admin api app auth basic client database db email ftp http https imap jdbc ldap \
    login mail master mongo mongodb mqtt my mysql pg postgres proxy rabbitmq redis root server \
    smtp ssh sudo user vnc wifi",
);

/// Words that may follow the word that names the secret and leave it one.
pub(super) static QUALIFIER: Words = Words::new(
    "admin b64 backup base base64 dev development live local main new old plain plaintext \
    primary prod production qa raw sandbox secondary stage staging str test testing uat value",
);

/// Last words of a name that is about a secret and does not hold it.
pub(super) static ABOUT: Words = Words::new(
    "age alg algorithm alias arn array attempts attr attribute audience auth bits box button \
    bytes callback chars check class column confirmation cookie count counter decoder \
    description dialog dir directory element enabled encoder encoding endpoint entry env error \
    errors exists expiration expires expiry factory field file filename flag form format func \
    generator grant group handler header help helper hint history icon id ids index info input \
    interval issuer iter iterator kind label len length level lifetime limit line link list \
    location lookup manager map max message meta metadata method min mode model msg name names \
    namespace option options owner page param parameter parser path pattern placeholder policy \
    pos position prefix prompt property provider re ref reference regex regexp repository \
    required reset resolver role route rule rules schema scheme scope screen section selector \
    separator service set settings size source state status storage store strategy strength \
    suffix table template text timeout title tooltip ttl type types uri url usage user \
    username valid validation validator var variable version view visibility visible",
);

/// Words that turn a name into a caption or a question.
pub(super) static CAPTION: Words = Words::new(
    "change confirm enter expired forgot forgotten has hide incorrect invalid is lost missing \
    need needs no require requires reset should show toggle update weak without wrong",
);

/// Further words of which the names of secrets, users and hosts are made.
pub(super) static VOCABULARY: Words = Words::new(
    "a access account admin an api app auth authentication authorization basic bearer client \
    code cookie credentials csrf current data db default digest env field github header http \
    id input jwt key keys login my name new oauth oauth2 of old pass private public pwd \
    refresh secrets security service session sso string text token tokens type user username \
    value x xsrf your",
);

/// Words that show where a secret would stand.
pub(super) static PLACE: Words = Words::new(
    "any basic bearer bool boolean bytes changeit changeme default digest dummy empty example \
    false fixme here hidden include insert invalid masked mock nil no none null number object \
    off omit omitted on optional placeholder redacted removed replace replaceme required same \
    sample str string tbd text todo true undefined unknown unset yes your yours yourself",
);

/// Words that may stand around those.
pub(super) static AROUND: Words = Words::new(
    "a actual add an app aws be change enter from generated github go goes google in it me must \
    not openai origin own paste please project put random real set slack some stripe strong \
    super test the this to value with",
);

/// Words that make a text with blanks a sentence.
pub(super) static COMMON: Words = Words::new(
    "a an and are at be been by can cannot could da de der die do does e enter et expected for \
    from has have if in incorrect invalid is it la le least missing must not o of on or please \
    required should that the this to und use used was will with wrong you your",
);

/// Types, keywords and usual names of variables.
pub(super) static CODE: Words = Words::new(
    "always async automatic await bigint binary boolean buffer bytes config current decoded \
    default disabled enabled encoded encrypted function generated getpass handle hashed hidden \
    ifnotpresent inherit input integer keyword lambda manual never nullable number object \
    optional options params parsed plain pointer previous props random request required \
    response result return secure self sensitive state static string struct symbol undefined \
    unknown unsigned update updated varchar visible",
);

/// Functions and types that only wrap a literal.
pub(super) static WRAPPERS: Words = Words::new(
    "atob b b64decode b64encode box btoa byte bytes convertto-securestring decode encode from \
    from_str fromhex just lit literal new of ok password quote secret secretstr secretstring \
    securestring sensitive some str string text value wstring",
);
/// Last words of a name that are secrets only with a value that looks random.
pub(super) static PERHAPS: Words = Words::new(
    "auth authorization bearer cookie cred credentials creds hmac jwt key salt sas session \
    sessionid sig signature tokens",
);

/// The schemes of an `Authorization` header.
pub(super) static SCHEMES: Words = Words::new(
    "api-key apikey apitoken aws4-hmac-sha256 basic bearer bot digest genie-key hawk hmac jwt key \
    klaviyo-api-key mac negotiate ntlm oauth pat privatetoken signature splunk ssws sso-key token \
    zoho-oauthtoken",
);

/// What a `Set-Cookie` header says besides the cookie.
pub(super) static COOKIE_ATTRIBUTES: Words = Words::new(
    "comment domain expires httponly max-age partitioned path priority samesite secure version",
);

//! What the variables of a run say about the endpoint, read once and checked.

use aurumcode_core::provider::{
    BuildContext, Environment, Limits, MAX_OUTPUT_TOKENS, ModelId, Unready, Variable, token_limits,
};
use aurumcode_core::text;
use aurumcode_provider_http::HttpSettings;
use aurumcode_provider_http::header::{HeaderName, HeaderValue};
use aurumcode_provider_http::secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::endpoint::{Address, BASE_URL};

/// The variable that holds the key.
pub(crate) const API_KEY: &str = "LLM_API_KEY";

/// The variable that names the model.
const MODEL: &str = "LLM_MODEL";

/// The model that is asked where nobody names one.
const DEFAULT_MODEL: &str = "gpt-4";

const EXTRA_HEADERS: &str = "AURUMCODE_EXTRA_HEADERS";
const EXTRA_BODY: &str = "AURUMCODE_EXTRA_BODY";
const RESPONSE_FORMAT: &str = "AURUMCODE_RESPONSE_FORMAT";

/// Fields of the request that other settings decide, with the setting that does.
const RESERVED_FIELDS: [(&str, &str); 5] = [
    ("max_completion_tokens", MAX_OUTPUT_TOKENS.name),
    ("max_tokens", MAX_OUTPUT_TOKENS.name),
    ("messages", "the change itself"),
    ("model", "--modelo or LLM_MODEL"),
    ("response_format", RESPONSE_FORMAT),
];

/// The variables of its own.
pub(crate) const OWN: [Variable; 6] = [
    Variable {
        name: API_KEY,
        help: "the key of the endpoint; not needed for a local host",
        secret: true,
    },
    Variable {
        name: BASE_URL,
        help: "the base URL of the endpoint, such as https://api.openai.com/v1",
        secret: false,
    },
    Variable {
        name: MODEL,
        help: "the model that reviews, unless --modelo names one (gpt-4)",
        secret: false,
    },
    Variable {
        name: RESPONSE_FORMAT,
        help: "the form of answer that the endpoint is asked to keep to: json_schema, json_object or none (json_schema)",
        secret: false,
    },
    Variable {
        name: EXTRA_HEADERS,
        help: "headers to send with each request, as a JSON object, for gateways",
        secret: true,
    },
    Variable {
        name: EXTRA_BODY,
        help: "fields to send in each request, as a JSON object, for gateways; null leaves a field out",
        secret: false,
    },
];

/// The form of answer that an endpoint is asked to keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseFormat {
    /// The schema of the answer.
    JsonSchema,
    /// Any JSON object.
    JsonObject,
    /// Whatever the model writes.
    None,
}

impl ResponseFormat {
    const ALL: [Self; 3] = [Self::JsonSchema, Self::JsonObject, Self::None];

    /// Returns the word by which users pick it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::JsonObject => "json_object",
            Self::None => "none",
        }
    }
}

/// What the variables say.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) address: Address,
    pub(crate) key: Option<SecretString>,
    pub(crate) model: ModelId,
    pub(crate) format: ResponseFormat,
    /// In the order of their names.
    pub(crate) headers: Vec<(HeaderName, SecretString)>,
    pub(crate) body: Map<String, Value>,
    pub(crate) limits: Limits,
    pub(crate) http: HttpSettings,
}

impl Settings {
    pub(crate) fn read(context: &BuildContext<'_>) -> Result<Self, Unready> {
        let environment = context.environment;
        let key = environment.trimmed(API_KEY);
        let Some(base) = environment.trimmed(BASE_URL) else {
            return Err(Unready::NotMine(match key {
                Some(_) => format!("{API_KEY} is set and {BASE_URL} is not: set it too"),
                None => {
                    format!("set {API_KEY} and {BASE_URL}, or {BASE_URL} alone for a local host")
                }
            }));
        };
        let address = Address::read(&base)?;
        if key.is_none() && !address.is_local() {
            return Err(Unready::NotMine(format!(
                "{BASE_URL} is set and {API_KEY} is not: set it too, because {} is no local host",
                address.shown()
            )));
        }
        let key = key
            .map(|key| aurumcode_provider_http::key(API_KEY, key))
            .transpose()?;
        let named = environment.trimmed(MODEL);
        let model = match context.model {
            Some(model) => model.clone(),
            None => ModelId::new(named.unwrap_or_else(|| DEFAULT_MODEL.to_owned())),
        };
        Ok(Self {
            address,
            key,
            model,
            format: format(environment)?,
            headers: headers(environment)?,
            body: body(environment)?,
            limits: token_limits(environment)?,
            http: HttpSettings::read(environment)?,
        })
    }

    /// Returns the exact values that must never leave the process.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let mut secrets = self.address.secrets();
        let key = self.key.iter().map(|key| key.expose_secret().to_owned());
        secrets.extend(key);
        for (name, value) in &self.headers {
            let value = value.expose_secret();
            // A short value that is no secret would blot out ordinary words.
            if names_a_secret(name.as_str()) || value.len() >= 16 {
                secrets.push(value.to_owned());
                // `Bearer <token>`: the token alone is the secret.
                secrets.extend(
                    value
                        .split_once(' ')
                        .map(|(_, token)| token.trim().to_owned()),
                );
            }
        }
        secrets
    }
}

fn format(environment: &Environment) -> Result<ResponseFormat, Unready> {
    let Some(word) = environment.trimmed(RESPONSE_FORMAT) else {
        return Ok(ResponseFormat::JsonSchema);
    };
    let known = ResponseFormat::ALL
        .into_iter()
        .find(|format| format.as_str() == word.to_lowercase());
    known.ok_or_else(|| {
        Unready::broken(format!(
            "{RESPONSE_FORMAT} must be json_schema, json_object or none (got {})",
            text::quoted(&word)
        ))
    })
}

fn object(environment: &Environment, name: &str) -> Result<Map<String, Value>, Unready> {
    let Some(value) = environment.text(name) else {
        return Ok(Map::new());
    };
    // The value is not quoted: it may hold a key.
    match serde_json::from_str(&value) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Unready::broken(format!("{name} is no JSON object"))),
        Err(error) => Err(Unready::broken(format!(
            "{name} is no JSON object (line {}, column {})",
            error.line(),
            error.column()
        ))),
    }
}

fn headers(environment: &Environment) -> Result<Vec<(HeaderName, SecretString)>, Unready> {
    let mut headers = Vec::new();
    for (name, value) in object(environment, EXTRA_HEADERS)? {
        let unusable =
            |why: &str| Unready::broken(format!("{EXTRA_HEADERS}: {} {why}", text::quoted(&name)));
        let Ok(header) = HeaderName::from_bytes(name.as_bytes()) else {
            return Err(unusable("is no name of a header"));
        };
        let value = match value {
            Value::String(value) => value,
            Value::Number(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            _ => return Err(unusable("needs a string as its value")),
        };
        if HeaderValue::from_str(&value).is_err() {
            return Err(unusable("has a value that no header can hold"));
        }
        if [
            "content-length",
            "content-type",
            "host",
            "transfer-encoding",
        ]
        .contains(&header.as_str())
        {
            return Err(unusable("is set by aurumcode itself"));
        }
        headers.push((header, value.into()));
    }
    headers.sort_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
    Ok(headers)
}

fn body(environment: &Environment) -> Result<Map<String, Value>, Unready> {
    let body = object(environment, EXTRA_BODY)?;
    for (field, setting) in RESERVED_FIELDS {
        if body.contains_key(field) {
            return Err(Unready::broken(format!(
                "{EXTRA_BODY} cannot set `{field}`, which comes from {setting}"
            )));
        }
    }
    Ok(body)
}

/// Returns whether a name of a header or of a parameter says that its value is a secret.
pub(crate) fn names_a_secret(name: &str) -> bool {
    const WORDS: [&str; 9] = [
        "auth",
        "cookie",
        "credential",
        "key",
        "password",
        "secret",
        "sig",
        "signature",
        "token",
    ];
    let name = name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word)) || name == "code"
}

/// Returns a digest for an identity.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

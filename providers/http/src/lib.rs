//! What every HTTP source shares, so that nobody writes it twice: one client with its limits,
//! proxies, certificates and redirects ([`Client`]), and one reading of what a server says when it
//! does not answer ([`Asked`], [`Refusal`], [`classify`]).
//!
//! A source hands in the environment, the request and the words that its users know; it gets back
//! a bounded reply or a [`ProviderError`](aurumcode_core::provider::ProviderError) that holds no
//! secret.

mod asked;
mod classify;
mod client;
mod refusal;
mod settings;
mod transport;
mod wait;
mod words;

pub use asked::{Asked, Key};
pub use classify::classify;
pub use client::{Client, Outgoing, Reply};
pub use refusal::Refusal;
pub use reqwest::{Method, StatusCode, Url, header};
pub use secrecy;
pub use settings::{
    CONNECT_TIMEOUT, HttpSettings, TOTAL_TIMEOUT, VARIABLES, endpoint_url, key, refuse_credentials,
};
pub use words::{excerpt, shown};

//! What does not compile, so that nobody has to remember it. Each example that must not compile
//! stands beside one that does and differs in nothing else, so it fails for its own reason.
//!
//! # A source without an identity
//!
//! ```
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! impl ModelResolver for Mine {
//!     fn resolve_model(&self) -> ModelId {
//!         ModelId::new("mine")
//!     }
//! }
//!
//! #[async_trait]
//! impl Provider for Mine {
//!     fn identity(&self) -> Identity {
//!         Identity::unstated()
//!     }
//!     fn label(&self) -> String {
//!         "mine".to_owned()
//!     }
//!     fn limits(&self) -> Limits {
//!         Limits::default()
//!     }
//!     async fn complete(&self, _: &Request, _: &dyn Run) -> Result<Completion, ProviderError> {
//!         Err(ProviderError::new(ErrorKind::Setup, "nobody is there"))
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0046
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! impl ModelResolver for Mine {
//!     fn resolve_model(&self) -> ModelId {
//!         ModelId::new("mine")
//!     }
//! }
//!
//! #[async_trait]
//! impl Provider for Mine {
//!     fn label(&self) -> String {
//!         "mine".to_owned()
//!     }
//!     fn limits(&self) -> Limits {
//!         Limits::default()
//!     }
//!     async fn complete(&self, _: &Request, _: &dyn Run) -> Result<Completion, ProviderError> {
//!         Err(ProviderError::new(ErrorKind::Setup, "nobody is there"))
//!     }
//! }
//! ```
//!
//! # A source that does not say which model answers
//!
//! ```
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! impl ModelResolver for Mine {
//!     fn resolve_model(&self) -> ModelId {
//!         ModelId::new("mine")
//!     }
//! }
//!
//! #[async_trait]
//! impl Provider for Mine {
//!     fn identity(&self) -> Identity {
//!         Identity::unstated()
//!     }
//!     fn label(&self) -> String {
//!         "mine".to_owned()
//!     }
//!     fn limits(&self) -> Limits {
//!         Limits::default()
//!     }
//!     async fn complete(&self, _: &Request, _: &dyn Run) -> Result<Completion, ProviderError> {
//!         Err(ProviderError::new(ErrorKind::Setup, "nobody is there"))
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0277
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! #[async_trait]
//! impl Provider for Mine {
//!     fn identity(&self) -> Identity {
//!         Identity::unstated()
//!     }
//!     fn label(&self) -> String {
//!         "mine".to_owned()
//!     }
//!     fn limits(&self) -> Limits {
//!         Limits::default()
//!     }
//!     async fn complete(&self, _: &Request, _: &dyn Run) -> Result<Completion, ProviderError> {
//!         Err(ProviderError::new(ErrorKind::Setup, "nobody is there"))
//!     }
//! }
//! ```
//!
//! # A layer that states an identity
//!
//! ```
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! #[async_trait]
//! impl Layer for Mine {
//!     fn effect(&self) -> Effect {
//!         Effect::Transparent
//!     }
//!     fn narrow(&self, inner: Limits) -> Limits {
//!         inner
//!     }
//!     fn preflight(&self, _: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
//!         Ok(Vec::new())
//!     }
//!     async fn call(
//!         &self,
//!         request: &Request,
//!         next: &dyn Provider,
//!         run: &dyn Run,
//!     ) -> Result<Completion, ProviderError> {
//!         next.complete(request, run).await
//!     }
//!     fn settle(&self) -> Vec<Note> {
//!         Vec::new()
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0407
//! use aurumcode_core::async_trait;
//! use aurumcode_core::provider::*;
//!
//! #[derive(Debug)]
//! struct Mine;
//!
//! #[async_trait]
//! impl Layer for Mine {
//!     fn identity(&self) -> Identity {
//!         Identity::unstated()
//!     }
//!     fn effect(&self) -> Effect {
//!         Effect::Transparent
//!     }
//!     fn narrow(&self, inner: Limits) -> Limits {
//!         inner
//!     }
//!     fn preflight(&self, _: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
//!         Ok(Vec::new())
//!     }
//!     async fn call(
//!         &self,
//!         request: &Request,
//!         next: &dyn Provider,
//!         run: &dyn Run,
//!     ) -> Result<Completion, ProviderError> {
//!         next.complete(request, run).await
//!     }
//!     fn settle(&self) -> Vec<Note> {
//!         Vec::new()
//!     }
//! }
//! ```
//!
//! # An identity made outside its constructors
//!
//! ```
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity::stated([("endpoint", "x")]);
//! ```
//!
//! ```compile_fail,E0451
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity { parts: None };
//! ```
//!
//! # An identity that nobody states
//!
//! ```
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity::unstated();
//! ```
//!
//! ```compile_fail,E0599
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity::default();
//! ```
//!
//! # An identity that somebody else adds to
//!
//! ```
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity::stated([("endpoint", "x")]).clone();
//! ```
//!
//! ```compile_fail,E0624
//! use aurumcode_core::provider::Identity;
//!
//! let _: Identity = Identity::stated([("endpoint", "x")]).extended("model", "y");
//! ```

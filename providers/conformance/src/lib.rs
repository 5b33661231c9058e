//! What every source and layer has to hold to, as one line of test.
//!
//! The author of a provider says how to set it up and how to play what stands behind it, once, and
//! hands that to [`check_source`] or [`check_layer`]. Everything that applies is then tried, and
//! each thing that does not hold is reported with what was expected and why it matters. For a
//! source that asks over HTTP the suite brings the server: see [`Http`].
//!
//! ```no_run
//! # use aurumcode_provider_conformance::{LayerUnderTest, Setting, Settings, check_layer};
//! # struct Mine;
//! impl LayerUnderTest for Mine {
//!     fn name(&self) -> &'static str {
//!         "mine"
//!     }
//!     fn settings(&self) -> Settings {
//!         Settings::new().variable("MINE_LEVEL", "1")
//!     }
//!     fn changes(&self) -> Vec<Setting> {
//!         vec![Setting::variable("MINE_LEVEL", "2")]
//!     }
//!     fn keeps(&self) -> Vec<Setting> {
//!         vec![Setting::variable("MINE_TIMEOUT", "9")]
//!     }
//! }
//!
//! # fn main() {
//! check_layer(&Mine);
//! # }
//! ```

mod http;
mod layer;
mod playing;
mod registration;
mod report;
mod script;
mod settings;
mod source;
mod world;

pub use http::{Http, HttpResponse, HttpSource};
pub use layer::{LayerUnderTest, check_layer};
pub use script::{Answer, Backend, Failure, Script, Stage, secret};
pub use settings::{Setting, Settings};
pub use source::{SourceUnderTest, check_source};

//! The metering layer behind `--limite`: a run states what it is going to cost and what it has
//! cost, and never spends more than the user allows.
//!
//! Prices, estimate, reservation and ledger live here and nowhere else: no other crate knows a
//! dollar. The layer exists only in a run with `--limite`.

mod decimal;
mod layer;
mod ledger;
mod money;
mod prices;
mod tokens;

use std::sync::Arc;

use aurumcode_core::inventory;
use aurumcode_core::provider::{Flag, Layer, LayerContext, LayerRegistration, Origin, SetupError};

use layer::Metering;
use money::Ceiling;
use prices::Prices;

const LIMITE: Flag = Flag {
    name: "limite",
    aliases: &["limit"],
    value_name: "usd",
    help: "never spend more than this many US dollars in this run, in the stated prices and \
           estimated tokens; a number above zero, such as --limite 0.50",
    check: |value| Ceiling::parse(value).map(drop),
};

/// The layer's entry in the registry.
pub const REGISTRATION: LayerRegistration = LayerRegistration {
    name: "limite",
    origin: Origin {
        package: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
    },
    summary: "meters every call of a run and never lets it spend more than --limite",
    position: 50,
    variables: &[&[prices::INPUT, prices::OUTPUT]],
    flags: &[LIMITE],
    build,
};

inventory::submit! { REGISTRATION }

fn build(context: &LayerContext<'_>) -> Result<Option<Arc<dyn Layer>>, SetupError> {
    let Some(value) = context.build.flags.get(LIMITE.name) else {
        return Ok(None);
    };
    let ceiling = Ceiling::parse(value).map_err(SetupError::Usage)?;
    let prices = Prices::read(context.build.environment).map_err(SetupError::Usage)?;
    let metering = Metering::new(ceiling, prices, context.build.model, context.answers);
    Ok(Some(Arc::new(metering)))
}

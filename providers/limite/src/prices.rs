//! What tokens cost: the prices that the user states, or assumed ones.

use aurumcode_core::provider::{Environment, Usage, Variable};
use aurumcode_core::text;

use crate::money::{Money, Price};

/// The variable with the price of the tokens of a prompt.
pub(crate) const INPUT: Variable = Variable {
    name: "AURUMCODE_LLM_INPUT_USD_PER_1K",
    help: "what 1000 tokens of a prompt cost in US dollars, for --limite; set both prices or neither (default 0.01)",
    secret: false,
};

/// The variable with the price of the tokens of an answer.
pub(crate) const OUTPUT: Variable = Variable {
    name: "AURUMCODE_LLM_OUTPUT_USD_PER_1K",
    help: "what 1000 tokens of an answer cost in US dollars, for --limite; set both prices or neither (default 0.03)",
    secret: false,
};

/// What the tokens of a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prices {
    /// Of the tokens of prompts.
    pub(crate) input: Price,
    /// Of the tokens of answers.
    pub(crate) output: Price,
    /// Whether nobody stated them.
    pub(crate) assumed: bool,
}

impl Prices {
    /// What counts where the user states no prices: 0.01 and 0.03 dollars.
    pub(crate) const ASSUMED: Self = Self {
        input: Price::of_thousandths(10),
        output: Price::of_thousandths(30),
        assumed: true,
    };

    /// Reads both prices. The error is the whole message.
    pub(crate) fn read(environment: &Environment) -> Result<Self, String> {
        let input = environment.text(INPUT.name);
        let output = environment.text(OUTPUT.name);
        match (input, output) {
            (None, None) => Ok(Self::ASSUMED),
            (Some(_), None) => Err(one_sided(&INPUT, &OUTPUT)),
            (None, Some(_)) => Err(one_sided(&OUTPUT, &INPUT)),
            (Some(input), Some(output)) => Ok(Self {
                input: price(&INPUT, &input)?,
                output: price(&OUTPUT, &output)?,
                assumed: false,
            }),
        }
    }

    /// Returns what these tokens cost.
    pub(crate) fn cost(&self, usage: Usage) -> Money {
        let input = self.input.of(usage.input_tokens);
        input.plus(self.output.of(usage.output_tokens))
    }
}

fn one_sided(set: &Variable, missing: &Variable) -> String {
    format!(
        "{} is set but {} is not; set both or neither, because a missing side prices those tokens at $0",
        set.name, missing.name
    )
}

fn price(variable: &Variable, value: &str) -> Result<Price, String> {
    Price::parse(value).ok_or_else(|| {
        format!(
            "{} must be a positive number of US dollars per 1000 tokens (got {})",
            variable.name,
            text::quoted(value)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str, output: &str) -> Result<Prices, String> {
        Prices::read(&Environment::new([
            (INPUT.name, input),
            (OUTPUT.name, output),
        ]))
    }

    #[test]
    fn both_or_neither() {
        assert_eq!(read("", ""), Ok(Prices::ASSUMED));
        assert_eq!(
            read("1", ""),
            Err("AURUMCODE_LLM_INPUT_USD_PER_1K is set but AURUMCODE_LLM_OUTPUT_USD_PER_1K is not; set both or neither, because a missing side prices those tokens at $0".to_owned())
        );
        assert_eq!(
            read("", "nonsense"),
            Err("AURUMCODE_LLM_OUTPUT_USD_PER_1K is set but AURUMCODE_LLM_INPUT_USD_PER_1K is not; set both or neither, because a missing side prices those tokens at $0".to_owned())
        );
    }

    #[test]
    fn a_price_is_above_zero() {
        for bad in ["0", "-1", "nan", "inf", "1e400", "free", " "] {
            assert_eq!(
                read(bad, "1"),
                Err(format!(
                    "AURUMCODE_LLM_INPUT_USD_PER_1K must be a positive number of US dollars per 1000 tokens (got \"{bad}\")"
                ))
            );
            assert_eq!(
                read("1", bad),
                Err(format!(
                    "AURUMCODE_LLM_OUTPUT_USD_PER_1K must be a positive number of US dollars per 1000 tokens (got \"{bad}\")"
                ))
            );
        }
        let prices = read(" 0.002 ", "1e-2").unwrap();
        let usage = Usage {
            input_tokens: 1500,
            output_tokens: 2,
        };
        assert_eq!(prices.cost(usage).exact(), "$0.00302");
    }
}

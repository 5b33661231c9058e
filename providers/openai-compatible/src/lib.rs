//! A source that asks any endpoint of the Chat Completions kind.

//! A transparent layer that waits and asks again when that can help.

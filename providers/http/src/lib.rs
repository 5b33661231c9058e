//! What every HTTP source shares.

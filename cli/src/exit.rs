//! How a run ends. The codes are interface: CI scripts rely on them.

use std::process::ExitCode;

/// How a run ends. Where a review is not complete, that decides, whatever was found: an incomplete
/// review has no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: what was asked for is done; where there is a gate, it is open.
    Done,
    /// 1: the review could not be done, or not completely, or could not be printed.
    Failed,
    /// 2: the arguments or the settings are wrong.
    Usage,
    /// 3: the review is done, and its findings close the gate.
    GateClosed,
}

impl ExitStatus {
    /// Every status, in the order of the codes.
    pub const ALL: [Self; 4] = [Self::Done, Self::Failed, Self::Usage, Self::GateClosed];

    /// Returns the code with which the process ends.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::GateClosed => 3,
        }
    }

    /// Returns what the code says, for the help.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Done => "the review ran; the gate of --fail-on is open, or none was asked for",
            Self::Failed => "the review could not be done, or not completely",
            Self::Usage => "the command was wrong, and nothing was tried",
            Self::GateClosed => "the review ran and the gate is closed",
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}

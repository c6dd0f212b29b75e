//! The hosts by name.

use std::fmt;

/// A host that calls hooks and keeps settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini's command line.
    Gemini,
    /// Cursor.
    Cursor,
    /// OpenClaw, through the plugin in `integrations/openclaw`.
    OpenClaw,
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::OpenClaw];

    /// The name, as commands and transcripts have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::OpenClaw => "openclaw",
        }
    }

    /// The variable with which a person puts the folder of its settings elsewhere, where there is one.
    #[must_use]
    pub fn folder_variable(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("CLAUDE_CONFIG_DIR"),
            Self::Codex => Some("CODEX_HOME"),
            Self::Gemini | Self::Cursor | Self::OpenClaw => None,
        }
    }

    /// The host of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

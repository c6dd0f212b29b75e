//! What CONFIG.md may have sent to a provider, and with which key.
//!
//! CONFIG.md travels with the workspace: whoever wrote it may be somebody else. So its words alone never send a text to another
//! machine and never name a secret; the surroundings must say that they trust it. Every provider is made through this.

use crate::memory::Memory;

impl Memory {
    /// The key of a provider, read from the variable that a setting names; nothing where none is named. `url` is the address that the
    /// settings give, empty for the provider's own.
    ///
    /// # Errors
    /// Where texts would leave this machine, or a secret is named, and the surroundings do not allow it; where the variable is not set.
    pub(crate) fn provider_key(
        &self,
        leaves_this_machine: bool,
        url: &str,
        variable: &str,
        setting: &str,
    ) -> Result<Option<String>, String> {
        let variable = variable.trim();
        if !self.options.trusts_providers && (leaves_this_machine || !variable.is_empty()) {
            let whom = if url.trim().is_empty() { "the provider" } else { url.trim() }.escape_debug();
            let key = match variable {
                "" => String::new(),
                variable => format!(" with the key in {}", variable.escape_debug()),
            };
            return Err(format!(
                "CONFIG.md would send texts to {whom}{key}, and that is not allowed here; set REM_TRUST_PROVIDERS=1 to allow it"
            ));
        }
        match variable {
            "" => Ok(None),
            name => (self.options.secret)(name)
                .map(Some)
                .ok_or_else(|| format!("the variable {name}, which {setting} names, is not set")),
        }
    }
}

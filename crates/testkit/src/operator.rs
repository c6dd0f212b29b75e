//! An operator with a key, who says yes to everything and remembers what they were asked.

use std::sync::{Arc, Mutex};

use rem_ledger::{ConsentRequest, EditError, OperatorKey, Signer};

/// The operator.
#[derive(Debug)]
pub struct Operator {
    key: OperatorKey,
    asked: Mutex<Vec<String>>,
}

impl Operator {
    /// One whose key follows from a number.
    #[must_use]
    pub fn new(number: u8) -> Arc<Self> {
        Arc::new(Self { key: OperatorKey::from_seed(&[number; 32]).unwrap(), asked: Mutex::default() })
    }

    /// Their public key.
    #[must_use]
    pub fn key(&self) -> String {
        self.key.public()
    }

    /// What they were asked since they were asked this: what for, and the files.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Signer for Operator {
    fn sign(&self, request: &ConsentRequest<'_>) -> Result<String, EditError> {
        let files: Vec<&str> = request.files.iter().map(|file| file.path.as_str()).collect();
        self.asked.lock().unwrap().push(format!("{}: {}", request.what, files.join(" ")));
        Ok(self.key.sign(request.statement.as_bytes())?)
    }
}

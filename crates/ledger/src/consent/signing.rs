//! Keys and signatures: Ed25519, in OpenSSH's own forms, so that `ssh-keygen` and ssh-agent read them too.
//!
//! A signature is an SSH signature (OpenSSH's PROTOCOL.sshsig) in a namespace of its own, so that nothing signed for another purpose
//! counts here, nor the other way round. Must not know what is signed, nor ask anybody for anything.

use std::path::Path;

use ssh_key::private::{Ed25519Keypair, KeypairData};
use ssh_key::{Algorithm, Cipher, HashAlg, Kdf, LineEnding, PrivateKey, PublicKey, Signature, SshSig};

use super::agent;

/// What signatures are made for.
pub const SIGNATURE_NAMESPACE: &str = "approval@remembrancer";
const HASH: HashAlg = HashAlg::Sha512;
/// What makes guessing a passphrase slow: rounds of bcrypt-pbkdf, as `ssh-keygen -a` counts them. About a second of processor time.
const ROUNDS: u32 = 64;
const SALT: usize = 16;
const ARMOR: (&str, &str) = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----");
/// The characters in a line of an armored signature.
const ARMOR_LINE: usize = 70;

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The passphrase is another.
    #[error("the passphrase is wrong")]
    Passphrase,
    /// Keys of another kind are none here.
    #[error("the key is {0}, and approvals are signed with Ed25519")]
    Kind(String),
    /// The text, or what the agent said, is no key or signature.
    #[error("the key cannot be read: {0}")]
    Unreadable(String),
    /// ssh-agent is away, does not have the key, or its user said no.
    #[error("ssh-agent: {0}")]
    Agent(String),
}

impl From<ssh_key::Error> for KeyError {
    fn from(error: ssh_key::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// A private key that is open.
pub struct OperatorKey(PrivateKey);

impl std::fmt::Debug for OperatorKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("OperatorKey").field(&self.public()).finish()
    }
}

impl OperatorKey {
    /// The key that 32 bytes nobody can guess make.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`] never, in practice: every 32 bytes make one.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, KeyError> {
        let pair = KeypairData::Ed25519(Ed25519Keypair::from_seed(seed));
        Ok(Self(PrivateKey::new(pair, "")?))
    }

    /// A key out of its file, opened by its passphrase.
    ///
    /// # Errors
    /// [`KeyError`] where the text is no key, of another kind, or locked with another passphrase.
    pub fn unlock(file: &str, passphrase: &str) -> Result<Self, KeyError> {
        let key = PrivateKey::from_openssh(file)?;
        let key = match key.is_encrypted() {
            true => key.decrypt(passphrase).map_err(|_| KeyError::Passphrase)?,
            false => key,
        };
        match key.algorithm() {
            Algorithm::Ed25519 => Ok(Self(key)),
            other => Err(KeyError::Kind(other.to_string())),
        }
    }

    /// The key's file, locked with a passphrase; `random` salts it.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`] when it cannot be locked.
    pub fn locked(&self, passphrase: &str, random: &[u8; 32]) -> Result<String, KeyError> {
        let kdf = Kdf::Bcrypt { salt: random[..SALT].to_vec(), rounds: ROUNDS };
        let check = u32::from_le_bytes([random[16], random[17], random[18], random[19]]);
        let locked = self.0.encrypt_with(Cipher::Aes256Ctr, kdf, check, passphrase)?;
        Ok(locked.to_openssh(LineEnding::LF)?.to_string())
    }

    /// The public half, in OpenSSH's form without a comment.
    #[must_use]
    pub fn public(&self) -> String {
        let public = PublicKey::new(self.0.public_key().key_data().clone(), "");
        // An Ed25519 key always has such a form.
        public.to_openssh().unwrap_or_default()
    }

    /// Signs a text.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`] when it cannot be signed.
    pub fn sign(&self, text: &[u8]) -> Result<String, KeyError> {
        one_line(&self.0.sign(SIGNATURE_NAMESPACE, HASH, text)?)
    }
}

/// The public half of a key's file, which needs no passphrase.
///
/// # Errors
/// [`KeyError`] where the text is no key, or one of another kind.
pub fn public_half(file: &str) -> Result<String, KeyError> {
    let key = PrivateKey::from_openssh(file)?;
    normal(&PublicKey::new(key.public_key().key_data().clone(), ""))
}

/// A public key without its comment.
///
/// # Errors
/// [`KeyError`] where the text is no public key, or one of another kind.
pub fn public_key(text: &str) -> Result<String, KeyError> {
    let key = PublicKey::from_openssh(text.trim())?;
    normal(&PublicKey::new(key.key_data().clone(), ""))
}

fn normal(key: &PublicKey) -> Result<String, KeyError> {
    match key.algorithm() {
        Algorithm::Ed25519 => Ok(key.to_openssh()?),
        other => Err(KeyError::Kind(other.to_string())),
    }
}

/// A public key's short name, `SHA256:…`, as OpenSSH shows it; the text itself where it is no key.
#[must_use]
pub fn fingerprint(public: &str) -> String {
    PublicKey::from_openssh(public)
        .map_or_else(|_| public.to_owned(), |key| key.fingerprint(HashAlg::Sha256).to_string())
}

/// The Ed25519 keys that ssh-agent has.
///
/// # Errors
/// [`KeyError::Agent`] when it does not answer.
pub fn keys_of_agent(socket: &Path) -> Result<Vec<String>, KeyError> {
    // What it has and we cannot read, certificates among it, is none.
    let keys = agent::keys(socket)?;
    Ok(keys.iter().filter_map(|key| normal(&PublicKey::from_bytes(key).ok()?).ok()).collect())
}

/// Has ssh-agent sign a text.
///
/// # Errors
/// [`KeyError::Agent`] when it does not answer, does not have the key, or its user said no.
pub fn sign_by_agent(socket: &Path, public: &str, text: &[u8]) -> Result<String, KeyError> {
    let key = PublicKey::from_openssh(public)?;
    let data = SshSig::signed_data(SIGNATURE_NAMESPACE, HASH, text)?;
    let signature = agent::signature(socket, &key.to_bytes()?, &data)?;
    let signature = Signature::try_from(signature.as_slice())?;
    one_line(&SshSig::new(key.key_data().clone(), SIGNATURE_NAMESPACE, HASH, signature)?)
}

/// Whether a signature is this key's over this text.
#[must_use]
pub(crate) fn is_signed_by(public: &str, text: &str, signature: &str) -> bool {
    let verified = || -> Result<(), ssh_key::Error> {
        let key = PublicKey::from_openssh(public)?;
        key.verify(SIGNATURE_NAMESPACE, text.as_bytes(), &SshSig::from_pem(armored(signature))?)
    };
    verified().is_ok()
}

/// A signature in base64 on one line.
fn one_line(signature: &SshSig) -> Result<String, KeyError> {
    let armored = signature.to_pem(LineEnding::LF)?;
    Ok(armored.lines().filter(|line| !line.starts_with("-----")).collect())
}

/// A signature in the form that `ssh-keygen -Y verify` reads.
#[must_use]
pub fn armored(signature: &str) -> String {
    let characters: Vec<char> = signature.chars().collect();
    let lines: Vec<String> = characters.chunks(ARMOR_LINE).map(|line| line.iter().collect()).collect();
    format!("{}\n{}\n{}\n", ARMOR.0, lines.join("\n"), ARMOR.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_one_keys_over_one_text() {
        let (one, other) =
            (OperatorKey::from_seed(&[1; 32]).unwrap(), OperatorKey::from_seed(&[2; 32]).unwrap());
        let signature = one.sign("아니, 6월이야".as_bytes()).unwrap();
        assert!(!signature.contains('\n'));
        assert!(is_signed_by(&one.public(), "아니, 6월이야", &signature));
        assert!(!is_signed_by(&one.public(), "아니, 5월이야", &signature));
        assert!(!is_signed_by(&other.public(), "아니, 6월이야", &signature));
        assert!(!is_signed_by("nonsense", "아니, 6월이야", &signature));
        assert!(!is_signed_by(&one.public(), "아니, 6월이야", "nonsense"));
        // Signed for another purpose, it does not count.
        let elsewhere = one.0.sign("git", HASH, b"text").unwrap();
        assert!(!is_signed_by(&one.public(), "text", &one_line(&elsewhere).unwrap()));
    }

    #[test]
    fn a_file_opens_to_its_passphrase_alone() {
        let key = OperatorKey::from_seed(&[7; 32]).unwrap();
        let file = key.locked("정확한 말 건전지", &[9; 32]).unwrap();
        assert_eq!(public_half(&file).unwrap(), key.public());
        assert_eq!(OperatorKey::unlock(&file, "정확한 말 건전지").unwrap().public(), key.public());
        assert!(matches!(OperatorKey::unlock(&file, "정확한 말"), Err(KeyError::Passphrase)));
        assert!(matches!(OperatorKey::unlock("nonsense", ""), Err(KeyError::Unreadable(_))));
        assert!(fingerprint(&key.public()).starts_with("SHA256:"));
    }
}

//! ssh-agent: which keys it has, and its signature over some bytes (draft-ietf-sshm-ssh-agent, sections 4.4 and 4.5).
//!
//! Two requests of a protocol of lengths and bytes. The crates that speak all of it bring RSA and three other curves with them.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::signing::KeyError;

const REQUEST_IDENTITIES: u8 = 11;
const IDENTITIES: u8 = 12;
const SIGN_REQUEST: u8 = 13;
const SIGN_RESPONSE: u8 = 14;
/// OpenSSH's own limit of a message, in bytes.
const LONGEST: usize = 256 << 10;
/// How long it may take: it may be asking its user.
const PATIENCE: Duration = Duration::from_secs(120);

/// The public keys that it has, in OpenSSH's encoding.
pub(super) fn keys(socket: &Path) -> Result<Vec<Vec<u8>>, KeyError> {
    let answer = asked(socket, IDENTITIES, &[REQUEST_IDENTITIES])?;
    let mut rest = answer.as_slice();
    let count = number(&mut rest)?;
    let mut keys = Vec::new();
    for _ in 0..count {
        keys.push(string(&mut rest)?.to_vec());
        // Its comment.
        string(&mut rest)?;
    }
    Ok(keys)
}

/// Its signature over `data` with a key it has, in OpenSSH's encoding.
pub(super) fn signature(socket: &Path, key: &[u8], data: &[u8]) -> Result<Vec<u8>, KeyError> {
    let mut request = vec![SIGN_REQUEST];
    for part in [key, data] {
        let length = u32::try_from(part.len()).map_err(|_| malformed())?;
        request.extend(length.to_be_bytes());
        request.extend(part);
    }
    request.extend([0; 4]);
    let answer = asked(socket, SIGN_RESPONSE, &request)?;
    Ok(string(&mut answer.as_slice())?.to_vec())
}

/// What it answers to a request, if it is an answer of that kind.
fn asked(socket: &Path, kind: u8, request: &[u8]) -> Result<Vec<u8>, KeyError> {
    let away = |error: std::io::Error| KeyError::Agent(error.to_string());
    let mut stream = UnixStream::connect(socket).map_err(away)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(away)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(away)?;
    let length = u32::try_from(request.len()).map_err(|_| malformed())?;
    stream.write_all(&[&length.to_be_bytes(), request].concat()).map_err(away)?;
    let mut head = [0; 4];
    stream.read_exact(&mut head).map_err(away)?;
    let length = usize::try_from(u32::from_be_bytes(head)).unwrap_or(usize::MAX);
    if length == 0 || length > LONGEST {
        return Err(malformed());
    }
    let mut answer = vec![0; length];
    stream.read_exact(&mut answer).map_err(away)?;
    match answer[0] {
        found if found == kind => Ok(answer.split_off(1)),
        _ => Err(KeyError::Agent("it said no".to_owned())),
    }
}

fn number(rest: &mut &[u8]) -> Result<u32, KeyError> {
    let (head, tail) = rest.split_first_chunk().ok_or_else(malformed)?;
    *rest = tail;
    Ok(u32::from_be_bytes(*head))
}

fn string<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], KeyError> {
    let length = usize::try_from(number(rest)?).unwrap_or(usize::MAX);
    let (text, tail) = rest.split_at_checked(length).ok_or_else(malformed)?;
    *rest = tail;
    Ok(text)
}

fn malformed() -> KeyError {
    KeyError::Agent("what it says makes no sense".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that answers one request so.
    fn answering(answer: &'static [u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("agent");
        let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 5];
            stream.read_exact(&mut request).unwrap();
            stream.write_all(answer).unwrap();
        });
        (folder, socket)
    }

    #[test]
    fn answers_that_are_none_are_errors() {
        let said = |answer: &'static [u8]| keys(&answering(answer).1).unwrap_err().to_string();
        assert!(said(&[0, 0, 0, 1, 5]).contains("said no"));
        for nonsense in [
            &[0, 0, 0, 0][..],
            &[255, 255, 255, 255],
            &[0, 0, 0, 3, 12, 0, 0],
            &[0, 0, 0, 9, 12, 0, 0, 0, 1, 0, 0, 0, 9],
        ] {
            assert!(said(nonsense).contains("no sense"), "{nonsense:?}");
        }
        assert!(said(&[0, 0]).starts_with("ssh-agent: "));
        let (_folder, socket) = answering(&[0, 0, 0, 14, 12, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 0, 0, 0]);
        assert_eq!(keys(&socket).unwrap(), [[7]]);
        assert!(keys(Path::new("/nowhere/at/all")).unwrap_err().to_string().starts_with("ssh-agent: "));
    }
}

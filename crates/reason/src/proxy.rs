//! The proxies that the surroundings name, and which of them an address is asked through.
//!
//! They come in from outside, as everything of the environment does. What is on this machine is never asked through one. A proxy's
//! address may hold a password: it is in no message.

use ureq::http::Uri;

use crate::http::is_loopback;

/// The proxies of the surroundings, each an address such as `http://proxy.example:3128`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For addresses with `https://`.
    pub https: Option<String>,
    /// For addresses with `http://`.
    pub http: Option<String>,
    /// For all that have none of their own.
    pub all: Option<String>,
    /// Who is asked without one: hosts with all below them, separated by commas; `*` for everybody.
    pub none: String,
}

impl std::fmt::Debug for Proxies {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Proxies").field("none", &self.none).finish_non_exhaustive()
    }
}

impl Proxies {
    /// The proxy for an address, where it is asked through one; the error says why the one that is named cannot be used.
    pub(crate) fn of(&self, address: &Uri) -> Result<Option<ureq::Proxy>, String> {
        let Some(host) = address.host() else { return Ok(None) };
        if is_loopback(host) || self.is_direct(host) {
            return Ok(None);
        }
        let own = if address.scheme_str() == Some("https") { &self.https } else { &self.http };
        let named =
            [own, &self.all].into_iter().flatten().map(|each| each.trim()).find(|each| !each.is_empty());
        let Some(named) = named else { return Ok(None) };
        // A proxy of another kind would be passed by in silence.
        let is_http = match named.split_once("://") {
            Some((scheme, _)) => matches!(scheme, "http" | "https"),
            None => true,
        };
        match ureq::Proxy::new(named) {
            Ok(proxy) if is_http => Ok(Some(proxy)),
            _ => Err("the proxy that the surroundings name is none of http:// or https://".to_owned()),
        }
    }

    fn is_direct(&self, host: &str) -> bool {
        let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
        self.none.split(',').map(str::trim).filter(|each| !each.is_empty()).any(|each| {
            let named = each.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
            let named = match named.rsplit_once(':') {
                // A port says nothing here; the colons of an address of version 6 do.
                Some((name, port))
                    if !name.contains(':') && port.bytes().all(|each| each.is_ascii_digit()) =>
                {
                    name
                }
                _ => &named,
            };
            each == "*" || host == named || host.strip_suffix(named).is_some_and(|rest| rest.ends_with('.'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies() -> Proxies {
        Proxies {
            https: Some("http://user:a-password@secure.invalid:3128".to_owned()),
            http: Some("plain.invalid:3128".to_owned()),
            all: None,
            none: "intern.invalid, .corp.invalid:443,::2".to_owned(),
        }
    }

    fn host(proxies: &Proxies, url: &str) -> Option<String> {
        proxies.of(&url.parse().unwrap()).unwrap().map(|proxy| proxy.host().to_owned())
    }

    #[test]
    fn an_address_has_the_proxy_of_its_kind_unless_it_is_near() {
        let proxies = proxies();
        assert_eq!(host(&proxies, "https://api.example.invalid/v1").as_deref(), Some("secure.invalid"));
        assert_eq!(host(&proxies, "http://api.example.invalid/v1").as_deref(), Some("plain.invalid"));
        for near in [
            "http://127.0.0.1:8080",
            "https://localhost/v1",
            "http://[::1]:1",
            "https://intern.invalid",
            "https://a.INTERN.invalid",
            "https://x.corp.invalid",
            "http://[::2]/",
        ] {
            assert_eq!(host(&proxies, near), None, "{near}");
        }
        assert!(host(&proxies, "https://notintern.invalid").is_some());
        assert_eq!(host(&Proxies { none: "*".to_owned(), ..proxies }, "https://a.invalid"), None);
        let all = Proxies { all: Some("http://every.invalid".to_owned()), ..Proxies::default() };
        assert_eq!(host(&all, "https://a.invalid").as_deref(), Some("every.invalid"));
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_an_error_that_keeps_the_password() {
        let socks =
            Proxies { all: Some("socks5://me:a-password@a.invalid".to_owned()), ..Proxies::default() };
        let why = socks.of(&"https://b.invalid".parse().unwrap()).unwrap_err();
        assert!(why.contains("http://") && !why.contains("a-password"), "{why}");
        assert!(!format!("{:?}", proxies()).contains("a-password"));
    }
}

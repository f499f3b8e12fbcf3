//! A network in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// All addresses of one family that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpNetwork(IpNet);

/// The text is not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be a network such as 10.0.0.0/8 or fd00::/8, without bits past its prefix")]
pub struct NotANetwork;

impl IpNetwork {
    /// A constant network, whose address has no bits past its prefix.
    pub(super) const fn new(base: IpAddr, prefix: u8) -> Self {
        Self(IpNet::new_assert(base, prefix))
    }

    /// Whether the address is in the network. Addresses of the other family never are.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

impl FromStr for IpNetwork {
    type Err = NotANetwork;

    /// Parses `address/prefix`, or a single address.
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        // The standard library parses the address, because ipnet accepts `010.0.0.0` as `10.0.0.0`.
        let network = match text.split_once('/') {
            Some((address, prefix)) if prefix.bytes().all(|byte| byte.is_ascii_digit()) => {
                let prefix = prefix.parse().map_err(|_no_number| NotANetwork)?;
                IpNet::new(parsed(address)?, prefix).map_err(|_too_long| NotANetwork)?
            }
            Some(_) => return Err(NotANetwork),
            None => IpNet::from(parsed(text)?),
        };
        // Bits past the prefix are a mistake that would allow more than intended.
        if network == network.trunc() { Ok(Self(network)) } else { Err(NotANetwork) }
    }
}

fn parsed(address: &str) -> Result<IpAddr, NotANetwork> {
    address.parse().map_err(|_no_address| NotANetwork)
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::IpNetwork;

    #[test]
    fn contains_addresses_that_begin_with_its_bits() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", vec!["10.0.0.0", "10.255.255.255"], vec!["9.255.255.255", "11.0.0.0"]),
            ("127.0.0.1", vec!["127.0.0.1"], vec!["127.0.0.2", "::1"]),
            ("0.0.0.0/0", vec!["0.0.0.0", "255.255.255.255"], vec!["::"]),
            ("fd00::/8", vec!["fd00::", "fdff::1"], vec!["fc00::", "fe00::"]),
            ("::/0", vec!["::", "ffff::"], vec!["0.0.0.0"]),
            ("::1/128", vec!["::1"], vec!["::2"]),
        ] {
            let network: IpNetwork = network.parse().expect(network);
            for address in inside {
                assert!(network.contains(address.parse().expect(address)), "{network} {address}");
            }
            for address in outside {
                assert!(!network.contains(address.parse().expect(address)), "{network} {address}");
            }
        }
    }

    #[test]
    fn rejects_what_is_not_a_network() {
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0.1/8",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "::/129",
            "a/8",
            "10/8",
            "010.0.0.0/8",
        ] {
            assert!(text.parse::<IpNetwork>().is_err(), "{text}");
        }
    }
}

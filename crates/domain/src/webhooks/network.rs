//! A network in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// All addresses of one family that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpNetwork {
    base: IpAddr,
    prefix: u8,
}

/// A text that is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be a network such as 10.0.0.0/8 or fd00::/8, without bits past its prefix")]
pub struct NotANetwork;

impl IpNetwork {
    /// A range that is known beforehand; its address has no bits past its prefix.
    pub(super) const fn new(base: IpAddr, prefix: u8) -> Self {
        Self { base, prefix }
    }

    /// Whether the address is in the network. An address of the other family never is.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                ((base.to_bits() ^ address.to_bits()) & mask_v4(self.prefix)) == 0
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                ((base.to_bits() ^ address.to_bits()) & mask_v6(self.prefix)) == 0
            }
            _ => false,
        }
    }
}

fn mask_v4(prefix: u8) -> u32 {
    // Shifting by all bits is not defined, and leaves none.
    u32::MAX.checked_shl(32_u32.saturating_sub(prefix.into())).unwrap_or(0)
}

fn mask_v6(prefix: u8) -> u128 {
    u128::MAX.checked_shl(128_u32.saturating_sub(prefix.into())).unwrap_or(0)
}

impl FromStr for IpNetwork {
    type Err = NotANetwork;

    /// Reads `address/prefix`, or an address, which is a network of one.
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let base: IpAddr = address.parse().ok().ok_or(NotANetwork)?;
        let longest = if base.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().filter(|prefix| *prefix <= longest).ok_or(NotANetwork)?
            }
            Some(_) => return Err(NotANetwork),
            None => longest,
        };
        // Bits past the prefix are a mistake that would allow more than was meant.
        let past = match base {
            IpAddr::V4(base) => u128::from(base.to_bits() & !mask_v4(prefix)),
            IpAddr::V6(base) => base.to_bits() & !mask_v6(prefix),
        };
        if past == 0 { Ok(Self { base, prefix }) } else { Err(NotANetwork) }
    }
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::IpNetwork;

    #[test]
    fn contains_what_begins_with_its_bits() {
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
    fn refuses_what_is_no_network() {
        for text in
            ["", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/+8", "::/129", "a/8", "10/8"]
        {
            assert!(text.parse::<IpNetwork>().is_err(), "{text}");
        }
    }
}

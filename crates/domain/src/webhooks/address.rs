//! The network addresses to which webhooks may connect.
//!
//! All ranges of the IANA registries of special-purpose addresses (RFC 6890;
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and
//! <https://www.iana.org/assignments/iana-ipv6-special-registry>) are rejected, globally reachable or not, because no
//! receiver has such an address. Multicast is rejected too. In IPv6 only global unicast is permitted. An IPv6 address
//! that contains an IPv4 address is permitted only if that one is too, because the packets go there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::IpNetwork;

/// Permits public addresses and the networks that the operator allows.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    allowed: Vec<IpNetwork>,
}

impl Guard {
    /// Permits public addresses and these networks.
    #[must_use]
    pub const fn new(allowed: Vec<IpNetwork>) -> Self {
        Self { allowed }
    }

    /// Whether a webhook may connect to the address.
    #[must_use]
    pub fn permits(&self, address: IpAddr) -> bool {
        if self.allowed.iter().any(|network| network.contains(address)) {
            return true;
        }
        match address {
            IpAddr::V4(_) => !is_special(address),
            IpAddr::V6(address) => self.permits_v6(address),
        }
    }

    fn permits_v6(&self, address: Ipv6Addr) -> bool {
        match Carried::by(address) {
            Carried::Only(inside) => self.permits(inside.into()),
            Carried::Tunnelled(inside) => {
                inside.iter().all(|inside| self.permits((*inside).into()))
            }
            Carried::Beside(inside) => self.permits(inside.into()) && !is_special(address.into()),
            Carried::Nothing => !is_special(address.into()),
        }
    }
}

/// The IPv4 address inside an IPv6 address.
enum Carried {
    /// The IPv6 form is only another spelling or a translation.
    Only(Ipv4Addr),
    /// The packets are tunnelled over IPv4, through these addresses.
    Tunnelled([Ipv4Addr; 2]),
    /// The IPv6 address is also used itself.
    Beside(Ipv4Addr),
    Nothing,
}

impl Carried {
    fn by(address: Ipv6Addr) -> Self {
        let segments = address.segments();
        let bits = address.to_bits();
        match segments {
            // `::` and `::1` are special in themselves.
            [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Self::Nothing,
            // IPv4-compatible and IPv4-mapped (RFC 4291, 2.5.5), IPv4-translated (RFC 2765), NAT64 (RFC 6052).
            [0, 0, 0, 0, 0, 0 | 0xffff, ..]
            | [0, 0, 0, 0, 0xffff, 0, ..]
            | [0x64, 0xff9b, 0, 0, 0, 0, ..] => Self::Only(ipv4(bits)),
            // Teredo (RFC 4380): the server, and the client with inverted bits.
            [0x2001, 0, ..] => {
                Self::Tunnelled([ipv4(bits >> 64), Ipv4Addr::from_bits(!ipv4(bits).to_bits())])
            }
            // 6to4 (RFC 3056).
            [0x2002, ..] => Self::Tunnelled([ipv4(bits >> 80); 2]),
            // ISATAP (RFC 5214), with the universal bit set or not.
            [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Self::Beside(ipv4(bits)),
            _ => Self::Nothing,
        }
    }
}

/// The address in the last 32 bits.
fn ipv4(bits: u128) -> Ipv4Addr {
    let [.., a, b, c, d] = bits.to_be_bytes();
    Ipv4Addr::new(a, b, c, d)
}

/// The special ranges of IPv4.
const SPECIAL_V4: [IpNetwork; 17] = [
    v4([0, 0, 0, 0], 8),       // this network (RFC 791)
    v4([10, 0, 0, 0], 8),      // private (RFC 1918)
    v4([100, 64, 0, 0], 10),   // carrier-grade NAT (RFC 6598)
    v4([127, 0, 0, 0], 8),     // loopback (RFC 1122)
    v4([169, 254, 0, 0], 16),  // link-local (RFC 3927)
    v4([172, 16, 0, 0], 12),   // private (RFC 1918)
    v4([192, 0, 0, 0], 24),    // protocol assignments (RFC 6890)
    v4([192, 0, 2, 0], 24),    // documentation (RFC 5737)
    v4([192, 31, 196, 0], 24), // AS112 (RFC 7535)
    v4([192, 52, 193, 0], 24), // AMT (RFC 7450)
    v4([192, 88, 99, 0], 24),  // 6to4 relays (RFC 7526)
    v4([192, 168, 0, 0], 16),  // private (RFC 1918)
    v4([192, 175, 48, 0], 24), // AS112 (RFC 7534)
    v4([198, 18, 0, 0], 15),   // benchmarks (RFC 2544)
    v4([198, 51, 100, 0], 24), // documentation (RFC 5737)
    v4([203, 0, 113, 0], 24),  // documentation (RFC 5737)
    v4([224, 0, 0, 0], 3),     // multicast (RFC 5771), reserved and broadcast (RFC 1112, 919)
];

/// Global unicast of IPv6 (RFC 4291, 2.4). It excludes loopback, unspecified, discard (RFC 6666, 9780), local NAT64
/// (RFC 8215), segment identifiers (RFC 9602), unique local, link-local, site-local and multicast.
const GLOBAL_UNICAST_V6: IpNetwork = v6([0x2000, 0, 0, 0], 3);

/// The special ranges in it.
const SPECIAL_V6: [IpNetwork; 5] = [
    v6([0x2001, 0, 0, 0], 23),         // protocol assignments (RFC 2928)
    v6([0x2001, 0xdb8, 0, 0], 32),     // documentation (RFC 3849)
    v6([0x2002, 0, 0, 0], 16),         // 6to4 (RFC 3056)
    v6([0x2620, 0x4f, 0x8000, 0], 48), // AS112 (RFC 7534)
    v6([0x3fff, 0, 0, 0], 20),         // documentation (RFC 9637)
];

const fn v4([a, b, c, d]: [u8; 4], prefix: u8) -> IpNetwork {
    IpNetwork::new(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix)
}

const fn v6([a, b, c, d]: [u16; 4], prefix: u8) -> IpNetwork {
    IpNetwork::new(IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)), prefix)
}

fn is_special(address: IpAddr) -> bool {
    let is_in = |ranges: &[IpNetwork]| ranges.iter().any(|range| range.contains(address));
    match address {
        IpAddr::V4(_) => is_in(&SPECIAL_V4),
        IpAddr::V6(_) => !GLOBAL_UNICAST_V6.contains(address) || is_in(&SPECIAL_V6),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::Guard;

    fn permits(address: &str) -> bool {
        Guard::default().permits(address.parse().expect(address))
    }

    /// First and last address of each rejected range. The neighbours outside it are public unless marked with `-`.
    const RANGES: &[(&str, &str, &str, &str)] = &[
        ("-", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
        ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
        ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
        ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"),
        ("192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"),
        ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
        ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
        ("192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"),
        ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
        ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
        ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
        ("223.255.255.255", "224.0.0.0", "239.255.255.255", "-"),
        ("-", "240.0.0.0", "255.255.255.255", "-"),
        ("-", "::", "::1", "-"),
        ("-", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "100::", "100::ffff:ffff:ffff:ffff", "-"),
        ("-", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "-"),
        ("2000:ffff::", "2001:1::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
        ("-", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "2001:10::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("2001:db7:ffff::", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
        (
            "2620:4f:7fff::",
            "2620:4f:8000::",
            "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
            "2620:4f:8001::",
        ),
        ("3ffe:ffff::", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
        ("-", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
        ("-", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"),
    ];

    #[test]
    fn every_special_range_is_rejected_exactly_to_its_bounds() {
        for (before, first, last, after) in RANGES {
            for inside in [first, last] {
                assert!(!permits(inside), "{inside} is special");
            }
            for outside in [before, after].into_iter().filter(|address| **address != "-") {
                assert!(permits(outside), "{outside} is public");
            }
        }
    }

    #[test]
    fn an_embedded_address_is_checked() {
        for form in [
            "::{}",
            "::ffff:{}",
            "::ffff:0:{}",
            "64:ff9b::{}",
            "2606:4700::5efe:{}",
            "2606:4700::200:5efe:{}",
        ] {
            assert!(permits(&form.replace("{}", "8.8.8.8")), "{form}");
            for inside in ["10.0.0.1", "127.0.0.1", "169.254.169.254", "224.0.0.1"] {
                assert!(!permits(&form.replace("{}", inside)), "{form} {inside}");
            }
        }
        // A private prefix stays private with an ISATAP identifier.
        assert!(!permits("fd00::5efe:8.8.8.8"));
    }

    #[test]
    fn tunnels_are_checked_by_their_endpoints() {
        assert!(permits("2002:808:808::1"));
        assert!(!permits("2002:a00:1::1"));
        assert!(!permits("2002:7f00:1::1"));
        // The client is 8.8.8.8 or 10.0.0.1 with inverted bits.
        assert!(permits("2001:0:808:808:0:0:f7f7:f7f7"));
        assert!(!permits("2001:0:808:808:0:0:f5ff:fffe"));
        assert!(!permits("2001:0:a00:1:0:0:f7f7:f7f7"));
    }

    #[test]
    fn addresses_that_the_operator_allows_are_permitted_in_every_form() {
        let networks =
            ["10.1.0.0/16", "fd00:1::/32"].map(|network| network.parse().expect(network));
        let guard = Guard::new(networks.to_vec());
        for (address, is_permitted) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("64:ff9b::10.1.2.3", true),
            ("10.2.0.0", false),
            ("fd00:1::5", true),
            ("fd00:2::5", false),
            ("8.8.8.8", true),
        ] {
            assert_eq!(guard.permits(address.parse().expect(address)), is_permitted, "{address}");
        }
    }

    proptest! {
        #[test]
        fn a_mapped_address_is_checked_as_its_ipv4_address(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let (plain, mapped) = (IpAddr::V4(address), IpAddr::V6(address.to_ipv6_mapped()));
            prop_assert_eq!(Guard::default().permits(plain), Guard::default().permits(mapped));
        }

        #[test]
        fn only_global_unicast_addresses_are_permitted_by_default(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);
            let first = address.segments()[0];
            if Guard::default().permits(address.into()) {
                prop_assert!((0x2000..0x4000).contains(&first) || first == 0 || first == 0x64);
            }
        }
    }
}

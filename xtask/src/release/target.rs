//! The platforms of a release.

/// A platform; the binary is static, so every Linux on it can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Target {
    #[value(name = "x86_64-unknown-linux-musl")]
    X86_64,
    #[value(name = "aarch64-unknown-linux-musl")]
    Aarch64,
}

impl Target {
    /// Rust's name.
    pub(super) const fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-musl",
            Self::Aarch64 => "aarch64-unknown-linux-musl",
        }
    }

    /// The name that `uname -m` has for it.
    pub(super) const fn machine(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    /// Debian's name, which is also that of images.
    pub(super) const fn architecture(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }

    /// The compiler of C code.
    pub(super) const fn compiler(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-linux-musl-gcc",
            Self::Aarch64 => "aarch64-linux-musl-gcc",
        }
    }

    /// The program that links. Rust has the C library itself, so it need not be the compiler of C code.
    pub(super) const fn linker(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-linux-gnu-gcc",
            Self::Aarch64 => "aarch64-linux-gnu-gcc",
        }
    }

    /// How to install both on Debian.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::X86_64 => "apt-get install gcc musl-tools libllvmlibc-19-dev",
            Self::Aarch64 => {
                "dpkg --add-architecture arm64 && apt-get update && \
                 apt-get install gcc-aarch64-linux-gnu musl-dev:arm64"
            }
        }
    }
}

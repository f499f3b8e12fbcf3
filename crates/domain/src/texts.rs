//! One type for each kind of validated text.

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $read:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Restores a text from a store, without validation.
            #[must_use]
            pub const fn from_stored(text: String) -> Self {
                Self(text)
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl $crate::input::FromText for $name {
            fn from_text(text: &str) -> Result<Self, $crate::violations::Problem> {
                let read: fn(&str) -> Result<&str, $crate::violations::Problem> = $read;
                read(text).map(|text| Self(text.to_owned()))
            }
        }
    )+};
}

pub(crate) use texts;

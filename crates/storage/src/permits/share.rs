//! Whose work asks for a permit, and how heavy it is.

use contact_hub_domain::ids::CompanyId;

/// The company and the weight of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Share {
    /// The company; `None` for work that belongs to none.
    pub(crate) company: Option<CompanyId>,
    /// Whether it may take long: a list, a search, a bulk.
    pub(crate) heavy: bool,
}

impl Share {
    /// Short work that belongs to no company.
    pub(crate) const COMMON: Self = Self { company: None, heavy: false };

    /// Short work of a company.
    pub(crate) const fn of(company: CompanyId) -> Self {
        Self { company: Some(company), heavy: false }
    }

    /// Work of a company that may take long.
    pub(crate) const fn heavy(company: CompanyId) -> Self {
        Self { company: Some(company), heavy: true }
    }
}

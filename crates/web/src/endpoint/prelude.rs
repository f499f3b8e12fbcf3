//! The imports that all files of endpoints need.

pub(crate) use actix_web::HttpResponse;

pub(crate) use super::section::*;
pub(crate) use super::{DELETE, Endpoint, GET, PATCH, POST, PUT};
pub(crate) use crate::envelope;
pub(crate) use crate::error::{Answer, ApiError, Code};
pub(crate) use crate::extract::{
    ASSET_BODY, Asked, BULK_BODY, Body, Caller, Conditions, OptionalBody, PathId, STANDARD_BODY,
};
pub(crate) use crate::openapi::success::Success;

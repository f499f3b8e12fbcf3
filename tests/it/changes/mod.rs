//! `GET /changes`

mod entries;
mod follow;
mod sample;

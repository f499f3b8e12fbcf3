//! Limits on what one client or company may use at the edge: calls, connections, bodies, memory, password hashes.

mod bodies;
mod limits;
mod memory;
mod proxies;
mod shared_limits;
mod sign_in;
mod stopping;

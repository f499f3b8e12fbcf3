//! What one party may take from the others at the edge: calls, connections, bodies, memory, hashes of passwords.

mod bodies;
mod limits;
mod memory;
mod proxies;
mod shared_limits;
mod sign_in;
mod stopping;

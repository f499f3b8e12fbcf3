//! What one party may take from the others at the edge: calls, connections, bodies, memory, hashes of passwords.

mod limits;
mod proxies;
mod sign_in;

//! Secrets sealed under the operator's master key.
//!
//! XChaCha20-Poly1305 with a random nonce, which precedes the sealed bytes; at 24 bytes a repeated nonce is
//! practically impossible. The row's id is authenticated too, so a sealed secret that is copied to another row cannot
//! be opened there.

use std::sync::Arc;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use contact_hub_domain::ids::WebhookSecretId;
use contact_hub_domain::ports::Randomness;
use contact_hub_domain::webhooks::{Sealed, Secret, Vault, VaultError};
use zeroize::Zeroizing;

use crate::master_key::{MasterKey, id_of};

const NONCE_BYTES: usize = 24;

/// Seals under the first key, and opens with each key.
pub struct MasterKeyVault {
    keys: Vec<Key>,
    randomness: Arc<dyn Randomness>,
}

struct Key {
    id: String,
    cipher: XChaCha20Poly1305,
}

impl MasterKeyVault {
    /// A vault with these keys. Commands that use no secret may pass none; then sealing fails.
    #[must_use]
    pub fn new(keys: &[MasterKey], randomness: Arc<dyn Randomness>) -> Self {
        Self { keys: keys.iter().map(Key::of).collect(), randomness }
    }
}

impl Key {
    fn of(key: &MasterKey) -> Self {
        let cipher = XChaCha20Poly1305::new(&(**key).into());
        Self { id: id_of(key), cipher }
    }
}

impl Vault for MasterKeyVault {
    fn sealing_key(&self) -> Option<String> {
        self.keys.first().map(|key| key.id.clone())
    }

    fn seal(&self, id: WebhookSecretId, plain: &Secret) -> Result<Sealed, VaultError> {
        let key = self.keys.first().ok_or(VaultError::Failed)?;
        let randomness = Zeroizing::new(self.randomness.bytes());
        let nonce = randomness.first_chunk::<NONCE_BYTES>().ok_or(VaultError::Failed)?;
        let row = id.uuid();
        let payload = Payload { msg: plain.reveal().as_bytes(), aad: row.as_bytes() };
        let sealed = key.cipher.encrypt(&XNonce::from(*nonce), payload);
        let sealed = sealed.map_err(|_refused| VaultError::Failed)?;
        Ok(Sealed { key_id: key.id.clone(), bytes: [nonce.as_slice(), &sealed].concat() })
    }

    fn open(&self, id: WebhookSecretId, sealed: &Sealed) -> Result<Secret, VaultError> {
        let key = self.keys.iter().find(|key| key.id == sealed.key_id);
        let key = key.ok_or_else(|| VaultError::UnknownKey(sealed.key_id.clone()))?;
        let (nonce, bytes) =
            sealed.bytes.split_first_chunk::<NONCE_BYTES>().ok_or(VaultError::Broken)?;
        let row = id.uuid();
        let payload = Payload { msg: bytes, aad: row.as_bytes() };
        let plain = key.cipher.decrypt(&XNonce::from(*nonce), payload);
        let plain = Zeroizing::new(plain.map_err(|_broken| VaultError::Broken)?);
        let text = std::str::from_utf8(&plain).map_err(|_broken| VaultError::Broken)?;
        Ok(Secret::from_stored(Zeroizing::new(text.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use contact_hub_domain::ids::WebhookSecretId;
    use contact_hub_domain::input::FromText;
    use contact_hub_domain::webhooks::{Secret, Vault, VaultError};
    use uuid::Uuid;
    use zeroize::Zeroizing;

    use super::MasterKeyVault;
    use crate::adapters::SystemRandomness;

    const TEXT: &str = "correct horse bättery";

    fn vault(keys: &[u8]) -> MasterKeyVault {
        let keys: Vec<_> = keys.iter().map(|byte| Zeroizing::new([*byte; 32])).collect();
        MasterKeyVault::new(&keys, Arc::new(SystemRandomness))
    }

    fn secret() -> Secret {
        Secret::from_text(TEXT).expect("a secret")
    }

    fn id(number: u128) -> WebhookSecretId {
        WebhookSecretId::new(Uuid::from_u128(number))
    }

    #[test]
    fn a_sealed_secret_only_opens_with_its_id() {
        let vault = vault(&[1]);
        let sealed = vault.seal(id(1), &secret()).expect("sealed");
        assert_eq!(vault.open(id(1), &sealed).expect("opened").reveal(), TEXT);
        assert!(matches!(vault.open(id(2), &sealed), Err(VaultError::Broken)));
        let hidden = sealed.bytes.windows(7).all(|window| !TEXT.as_bytes().starts_with(window));
        assert!(hidden && !format!("{sealed:?}").contains("horse"));
    }

    #[test]
    fn a_changed_byte_prevents_opening() {
        let vault = vault(&[1]);
        let sealed = vault.seal(id(1), &secret()).expect("sealed");
        for at in 0..sealed.bytes.len() {
            let mut changed = sealed.clone();
            changed.bytes[at] ^= 1;
            assert!(matches!(vault.open(id(1), &changed), Err(VaultError::Broken)), "{at}");
            changed.bytes.truncate(at);
            assert!(matches!(vault.open(id(1), &changed), Err(VaultError::Broken)), "{at}");
        }
    }

    #[test]
    fn sealing_the_same_secret_twice_gives_different_results() {
        let vault = vault(&[1]);
        let twice = [vault.seal(id(1), &secret()), vault.seal(id(1), &secret())];
        let [first, second] = twice.map(|sealed| sealed.expect("sealed").bytes);
        assert_ne!(first, second);
    }

    #[test]
    fn after_a_rotation_the_old_key_opens_and_the_new_key_seals() {
        let (old, both, new) = (vault(&[1]), vault(&[2, 1]), vault(&[2]));
        let sealed = old.seal(id(1), &secret()).expect("sealed");
        let opened = both.open(id(1), &sealed).expect("opened");
        let anew = both.seal(id(1), &opened).expect("sealed");
        assert_eq!(new.open(id(1), &anew).expect("opened").reveal(), TEXT);
        assert!(matches!(new.open(id(1), &sealed), Err(VaultError::UnknownKey(_))));
        assert!(matches!(vault(&[]).seal(id(1), &secret()), Err(VaultError::Failed)));
    }
}

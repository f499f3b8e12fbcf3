//! The picture from which an app reads an address.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// The empty border that readers need, in modules.
const BORDER: i32 = 4;

/// A square picture, of dark modules on a light ground.
pub(super) struct Picture {
    /// Its width, in modules.
    pub(super) size: i32,
    /// The dark modules, as the path of an SVG.
    pub(super) path: String,
}

/// The picture of a text; `None` when the text is too long for one.
pub(super) fn picture(text: &str) -> Option<Picture> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for (x, y) in (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y))) {
        if code.get_module(x, y) {
            write!(path, "M{} {}h1v1h-1z", x + BORDER, y + BORDER).ok()?;
        }
    }
    Some(Picture { size: code.size() + 2 * BORDER, path })
}

#[cfg(test)]
mod tests {
    use super::picture;

    #[test]
    fn the_image_has_a_border_and_the_corners_of_a_qr_code() {
        let made = picture("otpauth://totp/x?secret=ABC").expect("a picture");
        assert!(made.size >= 21 + 8 && made.path.starts_with("M4 4h1v1h-1z"), "{}", made.path);
        assert!(picture(&"x".repeat(5000)).is_none());
    }
}

//! Tests of the validation of assets.

use uuid::Uuid;

use super::{AssetChange, AssetDraft};
use crate::ids::AssetId;
use crate::input::Input;
use crate::property::Property;
use crate::sync::{Asset, AssetType, MAX_ASSET_BODY};
use crate::time::Timestamp;
use crate::violations::Violations;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("in range")
}

fn email() -> AssetDraft {
    AssetDraft {
        name: " Spring ".into(),
        r#type: "email".into(),
        html: "<p>Hi {{first_name}}</p>\n".into(),
        subject: " Hello ".into(),
        ..AssetDraft::default()
    }
}

fn validated(draft: &AssetDraft) -> Result<Asset, Vec<String>> {
    draft.validate(AssetId::new(Uuid::from_u128(1)), at(5)).map_err(|violations| paths(&violations))
}

fn changed(before: &Asset, draft: AssetDraft) -> Result<Asset, Vec<String>> {
    AssetChange::new(draft).apply(before, at(9)).map_err(|violations| paths(&violations))
}

fn paths(violations: &Violations) -> Vec<String> {
    violations.iter().map(|(path, _)| path.to_owned()).collect()
}

#[test]
fn generates_the_text_if_it_is_absent() {
    let asset = validated(&email()).expect("valid");
    assert_eq!((asset.name.as_str(), asset.form.subject()), ("Spring", Some("Hello")));
    assert_eq!(asset.html.as_str(), "<p>Hi {{first_name}}</p>\n");
    assert_eq!((asset.text.text.as_str(), asset.text.is_made), ("Hi {{first_name}}", true));
    for text in [Property::Null, Property::from(" \n")] {
        assert_eq!(validated(&AssetDraft { text, ..email() }), Ok(asset.clone()));
    }
    let own = validated(&AssetDraft { text: " own ".into(), ..email() }).expect("valid");
    assert_eq!((own.text.text.as_str(), own.text.is_made), (" own ", false));
}

#[test]
fn an_email_has_a_subject_and_a_landing_page_has_none() {
    let page = AssetDraft { r#type: "landing_page".into(), subject: Property::Null, ..email() };
    let asset = validated(&page).expect("valid");
    assert_eq!((asset.form.kind(), asset.form.subject()), (AssetType::LandingPage, None));
    let both = AssetDraft { subject: "".into(), preheader: "x".into(), ..page };
    assert_eq!(validated(&both), Err(vec!["preheader".into(), "subject".into()]));
    for subject in [Property::Absent, Property::Null, Property::from(" ")] {
        assert_eq!(validated(&AssetDraft { subject, ..email() }), Err(vec!["subject".into()]));
    }
}

#[test]
fn reports_all_violations_at_once() {
    let required = ["html", "name", "type"].map(str::to_owned);
    assert_eq!(validated(&AssetDraft::default()), Err(required.to_vec()));
    let number = || Input::Number("1".into());
    let wrong = AssetDraft {
        name: "a\nb".into(),
        r#type: "letter".into(),
        html: "x".repeat(MAX_ASSET_BODY + 1).as_str().into(),
        text: number().into(),
        subject: number().into(),
        preheader: "a\0".into(),
    };
    let all = ["html", "name", "preheader", "type", "subject", "text"].map(str::to_owned);
    assert_eq!(validated(&wrong), Err(all.to_vec()));
    assert_eq!(changed(&validated(&email()).expect("valid"), wrong), Err(all.to_vec()));
}

#[test]
fn html_is_measured_in_bytes() {
    let longest = Property::from("é".repeat(MAX_ASSET_BODY / 2).as_str());
    assert!(validated(&AssetDraft { html: longest, ..email() }).is_ok());
}

#[test]
fn a_change_keeps_absent_members() {
    let before = validated(&AssetDraft { preheader: "More".into(), ..email() }).expect("valid");
    assert_eq!(changed(&before, AssetDraft::default()), Ok(before.clone()));
    let renamed = AssetDraft { name: "Summer".into(), ..AssetDraft::default() };
    let after = changed(&before, renamed).expect("valid");
    assert_eq!((after.name.as_str(), after.updated_at), ("Summer", at(9)));
    assert_eq!((&after.form, &after.html, &after.text), (&before.form, &before.html, &before.text));
    let cleared = AssetDraft { preheader: Property::Null, ..AssetDraft::default() };
    assert_eq!(changed(&before, cleared).expect("valid").form.preheader(), None);
    let nulls = AssetDraft {
        name: Property::Null,
        r#type: Property::Null,
        html: Property::Null,
        ..AssetDraft::default()
    };
    assert_eq!(changed(&before, nulls).expect_err("nulls"), ["html", "name", "type"]);
    let no_subject = AssetDraft { subject: Property::Null, ..AssetDraft::default() };
    assert_eq!(changed(&before, no_subject).expect_err("no subject"), ["subject"]);
}

#[test]
fn a_generated_text_follows_the_html_and_a_given_one_is_kept() {
    let html = |html: &str| AssetDraft { html: html.into(), ..AssetDraft::default() };
    let made = validated(&email()).expect("valid");
    assert_eq!(changed(&made, html("<b>New</b>")).expect("valid").text.text, "New");
    let own = validated(&AssetDraft { text: "own".into(), ..email() }).expect("valid");
    let kept = changed(&own, html("<b>New</b>")).expect("valid");
    assert_eq!((kept.text.text.as_str(), kept.text.is_made), ("own", false));
    let remade = AssetDraft { text: Property::Null, ..AssetDraft::default() };
    let remade = changed(&own, remade).expect("valid");
    assert_eq!((remade.text.text.as_str(), remade.text.is_made), ("Hi {{first_name}}", true));
    let input = AssetDraft { text: "mine".into(), ..html("x") };
    assert!(!changed(&made, input).expect("valid").text.is_made);
}

#[test]
fn a_change_of_the_type_is_validated() {
    let kind = |kind: &str| AssetDraft { r#type: kind.into(), ..AssetDraft::default() };
    let before = validated(&email()).expect("valid");
    let page = changed(&before, kind("landing_page")).expect("valid");
    assert_eq!(page.form.subject(), None);
    assert_eq!(changed(&page, kind("email")).expect_err("no subject"), ["subject"]);
    let with = AssetDraft { subject: "Again".into(), ..kind("email") };
    assert_eq!(changed(&page, with.clone()).expect("valid").form.subject(), Some("Again"));
    let refused = AssetDraft { r#type: "landing_page".into(), ..with };
    assert_eq!(changed(&before, refused).expect_err("a subject"), ["subject"]);
}

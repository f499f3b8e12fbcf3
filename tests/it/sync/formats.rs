//! The content of an asset in every format.

use contact_hub_domain::sync::Platform;
use contact_hub_tests::with_hub;
use serde_json::json;

use super::sample::{created, email_with};

const WRITTEN: &str =
    "{{first_name|there}}~{{email}}~{{field:jobTitle}}~{{unsubscribe_url}}~{{other}}";

const EXPECTED: [(&str, &str); 18] = [
    (
        "marketo",
        "{{lead.First Name:default=there}}~{{lead.Email Address}}~{{lead.Job Title}}~{{system.unsubscribeLink}}",
    ),
    (
        "eloqua",
        "<span class=eloquaemail>FirstName</span>~<span class=eloquaemail>EmailAddress</span>~\
         <span class=eloquaemail>JobTitle</span>~{{unsubscribe_url}}",
    ),
    (
        "hubspot",
        "{{ personalization_token('contact.firstname', 'there') }}~{{ contact.email }}~{{ contact.job_title }}~\
         {{ unsubscribe_link }}",
    ),
    (
        "pardot",
        "{{#if Recipient.FirstName}}{{Recipient.FirstName}}{{else}}there{{/if}}~{{Recipient.Email}}~\
         {{Recipient.JobTitle}}~{{Unsubscribe}}",
    ),
    (
        "sfmc",
        "%%=IIF(EMPTY(FirstName),'there',FirstName)=%%~%%emailaddr%%~%%JobTitle%%~%%unsub_center_url%%",
    ),
    ("mailchimp", "*|IF:FNAME|**|FNAME|**|ELSE:|*there*|END:IF|*~*|EMAIL|*~*|JOBTITLE|*~*|UNSUB|*"),
    (
        "braze",
        "{{${first_name} | default: 'there'}}~{{${email_address}}}~{{custom_attribute.${job_title}}}~\
         {{${set_user_to_unsubscribed_url}}}",
    ),
    (
        "klaviyo",
        "{{ first_name|default:'there' }}~{{ email }}~{{ person|lookup:'Job Title' }}~{% unsubscribe_link %}",
    ),
    (
        "iterable",
        "{{defaultIfEmpty firstName \"there\"}}~{{email}}~{{jobTitle}}~{{unsubscribeUrl}}",
    ),
    (
        "responsys",
        "${(CONTACTS_LIST.FIRST_NAME)!'there'}~${(CONTACTS_LIST.EMAIL_ADDRESS_)!}~${(CONTACTS_LIST.JOB_TITLE)!}~\
         {{unsubscribe_url}}",
    ),
    (
        "adobe_campaign",
        "<% if (recipient.firstName != '') { %><%= recipient.firstName %><% } else { %>there<% } %>~\
         <%= recipient.email %>~<%= recipient.jobTitle %>~\
         <%@ include option='NmsServer_URL' %>/webApp/unsub?id=<%= escapeUrl(recipient.cryptedId) %>",
    ),
    (
        "customerio",
        "{{ customer.first_name | default: 'there' }}~{{ customer.email }}~{{ customer.job_title }}~\
         {% unsubscribe_url %}",
    ),
    ("activecampaign", "%FIRSTNAME%~%EMAIL%~%JOB_TITLE%~%UNSUBSCRIBELINK%"),
    (
        "sendgrid",
        "{{insert first_name \"default=there\"}}~{{email}}~{{job_title}}~{{{unsubscribe}}}",
    ),
    (
        "adobe_journey_optimizer",
        "{%= profile.person.name.firstName ?: \"there\" %}~{{profile.personalEmail.address}}~{{profile.jobTitle}}~\
         {{unsubscribe_url}}",
    ),
    ("acoustic", "%%First Name%%~%%Email%%~%%Job Title%%~#SPONECLICKOPTOUT"),
    (
        "liquid",
        "{{ first_name | default: 'there' }}~{{ email }}~{{ fields.jobTitle }}~{{ unsubscribe_url }}",
    ),
    (
        "handlebars",
        "{{#if first_name}}{{first_name}}{{else}}there{{/if}}~{{email}}~{{fields.jobTitle}}~{{{unsubscribe_url}}}",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_format_uses_the_syntax_of_its_platform() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut body = email_with("html", WRITTEN);
        body["text"] = WRITTEN.into();
        let id = created(&client, "/assets", &body).await;
        assert_eq!(EXPECTED.map(|(platform, _)| platform), Platform::ALL.map(Platform::as_str));
        for (platform, expected) in EXPECTED {
            let path = format!("/assets/{id}/content?platform={platform}");
            let answer = client.published().get(&path).await.expect(200);
            let expected = format!("{expected}~{{{{other}}}}");
            assert_eq!(answer.data()["html"], expected, "{platform}");
            assert_eq!(answer.data()["text"], expected, "{platform}");
            assert_eq!(answer.data()["platform"], platform);
            let tags = json!(["first_name", "email", "field:jobTitle", "unsubscribe_url"]);
            assert_eq!(answer.data()["merge_tags"], tags);
        }
    })
    .await;
}

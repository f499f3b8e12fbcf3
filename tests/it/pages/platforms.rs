//! Connections to platforms.

use contact_hub_tests::with_hub;

const PATH: &str = "/admin/integrations/platforms";

#[expect(clippy::too_many_lines, reason = "one journey from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn a_platform_is_connected_changed_and_deleted() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let all = browser.get(&format!("{PATH}/all")).await.expect(200);
        assert!(all.text.contains("Not connected") && !all.text.contains("Add Another Connection"));
        let form = browser.get(&format!("{PATH}/new?format=klaviyo")).await.expect(200);
        assert!(form.text.contains("<option value=\"klaviyo\" selected>"));
        let fields = [
            ("name", "Klaviyo EU"),
            ("asset_types", "email"),
            ("merge_tag_format", "klaviyo"),
            ("tag", "first_name"),
            ("replacement", "{{ person.first }}"),
            ("tag", ""),
            ("replacement", ""),
        ];
        let page = browser.done(&format!("{PATH}/new"), &fields).await;
        assert!(page.text.contains("Klaviyo EU") && page.text.contains("Platform connected."));
        let all = browser.get(&format!("{PATH}/all")).await.expect(200);
        assert!(all.text.contains("Add Another Connection"));
        let listed = client.manage().get("/integrations").await.expect(200);
        let integration = &listed.data()[0];
        assert_eq!(integration["merge_tag_mapping"]["first_name"], "{{ person.first }}");

        let path = format!("{PATH}/{}", integration["id"].as_str().unwrap());
        let form = browser.get(&path).await.expect(200);
        assert!(
            form.text.contains("value=\"first_name\"") && form.text.contains("{{ person.first }}")
        );
        let change =
            [("name", ""), ("merge_tag_format", "braze"), ("tag", "nothing"), ("replacement", "x")];
        let refused = browser.post(&path, &change).await.expect(422);
        assert!(refused.text.contains("id=\"name-error-1\">Enter a name."));
        assert!(refused.text.contains("id=\"asset_types-error-1\">Choose the asset types."));
        assert!(refused.text.contains("Is not the name of a merge tag."));
        let change =
            [("name", "Braze"), ("asset_types", "landing_page"), ("merge_tag_format", "braze")];
        let page = browser.done(&path, &change).await;
        assert!(page.text.contains("Braze") && page.text.contains("Landing Page"));
        let page = browser.done(&format!("{path}/delete"), &[]).await;
        assert!(page.text.contains("No connections yet"));
    })
    .await;
}

"""The operations, one method each. Generated from the OpenAPI document by scripts/generate.py."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, TypedDict

from . import types
from ._core import Operation, Reply

ListAssetsQuery = TypedDict(
    "ListAssetsQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListSyncsQuery = TypedDict(
    "ListSyncsQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListAuditQuery = TypedDict(
    "ListAuditQuery",
    {
        "filter[actor]": str,
        "filter[action]": Literal["contact.deleted", "contact.erased", "contact.exported", "email.unblocked", "contacts.deleted", "contacts.restored", "contacts.updated", "contacts.exported", "contacts.imported", "contacts.upserted", "view.saved", "view.deleted", "field.created", "field.updated", "asset.created", "asset.updated", "asset.deleted", "integration.created", "integration.updated", "integration.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.secrets_ended", "webhook.tested", "webhook.recovered", "delivery.resent", "deliveries.resent", "company.created", "company.updated", "company.exported", "user.created", "user.updated", "user.deleted", "user.invited", "user.password_changed", "user.two_step_on", "user.two_step_off", "user.two_step_reset", "user.recovery_codes_renewed", "passkey.created", "passkey.updated", "passkey.deleted", "passkey.counter_went_back", "user.alerts_changed", "api_key.created", "api_key.revoked", "session.created", "session.recovered", "session.by_passkey", "session.failed", "session.created_by_provider", "session.failed_at_provider", "user.linked_to_provider", "identity_provider.created", "identity_provider.updated", "identity_provider.deleted", "session.ended", "sessions.ended"],
        "filter[object]": str,
        "filter[at][between]": str,
        "page[after]": str,
        "page[size]": int,
    },
    total=False,
)

ListChangesQuery = TypedDict(
    "ListChangesQuery",
    {
        "after": str,
        "type[]": list[Literal["contact.created", "contact.updated", "contact.deleted", "contact.restored", "contact.erased", "field.created", "field.updated", "sync.requested", "sync.completed", "sync.failed"]],
        "page[size]": int,
        "wait": int,
    },
    total=False,
)

ListDeliveriesQuery = TypedDict(
    "ListDeliveriesQuery",
    {
        "page[number]": int,
        "page[size]": int,
        "filter[webhook_id]": str,
        "filter[sync_id]": str,
        "filter[state]": Literal["pending", "in_progress", "retrying", "succeeded", "exhausted", "cancelled", "skipped"],
    },
    total=False,
)

ListIntegrationsQuery = TypedDict(
    "ListIntegrationsQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListUsersQuery = TypedDict(
    "ListUsersQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListApiKeysQuery = TypedDict(
    "ListApiKeysQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListWebhooksQuery = TypedDict(
    "ListWebhooksQuery",
    {
        "page[number]": int,
        "page[size]": int,
    },
    total=False,
)

ListContactsQuery = TypedDict(
    "ListContactsQuery",
    {
        "page[number]": int,
        "page[size]": int,
        "page[after]": str,
        "page[total]": Literal["true", "false"],
        "include": Literal["field_values"],
        "sort[]": list[str],
        "search": str,
        "filter[email]": str,
        "filter[email][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[email][value]": str,
        "filter[first_name]": str,
        "filter[first_name][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[first_name][value]": str,
        "filter[last_name]": str,
        "filter[last_name][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[last_name][value]": str,
        "filter[created_at][gt]": str,
        "filter[created_at][lt]": str,
        "filter[created_at][between]": str,
        "filter[created_at][operator]": Literal[">", "gt", "<", "lt", "between"],
        "filter[created_at][value]": str,
        "filter[updated_at][gt]": str,
        "filter[updated_at][lt]": str,
        "filter[updated_at][between]": str,
        "filter[updated_at][operator]": Literal[">", "gt", "<", "lt", "between"],
        "filter[updated_at][value]": str,
        "filter": dict[str, str],
    },
    total=False,
)

UpsertContactsQuery = TypedDict(
    "UpsertContactsQuery",
    {
        "dry_run": Literal["true", "false"],
    },
    total=False,
)

ExportContactsQuery = TypedDict(
    "ExportContactsQuery",
    {
        "page[after]": str,
        "sort[]": list[str],
        "search": str,
        "filter[email]": str,
        "filter[email][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[email][value]": str,
        "filter[first_name]": str,
        "filter[first_name][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[first_name][value]": str,
        "filter[last_name]": str,
        "filter[last_name][operator]": Literal["=", "eq", "!=", "ne", "startsWith", "contains", "notContains", ">", "gt", "<", "lt", "between"],
        "filter[last_name][value]": str,
        "filter[created_at][gt]": str,
        "filter[created_at][lt]": str,
        "filter[created_at][between]": str,
        "filter[created_at][operator]": Literal[">", "gt", "<", "lt", "between"],
        "filter[created_at][value]": str,
        "filter[updated_at][gt]": str,
        "filter[updated_at][lt]": str,
        "filter[updated_at][between]": str,
        "filter[updated_at][operator]": Literal[">", "gt", "<", "lt", "between"],
        "filter[updated_at][value]": str,
        "filter": dict[str, str],
    },
    total=False,
)

ListFieldsQuery = TypedDict(
    "ListFieldsQuery",
    {
        "archived": Literal["true", "false"],
    },
    total=False,
)

ListFieldValuesQuery = TypedDict(
    "ListFieldValuesQuery",
    {
        "page[number]": int,
        "page[size]": int,
        "sort[]": list[Literal["value", "-value"]],
    },
    total=False,
)

ReadContentQuery = TypedDict(
    "ReadContentQuery",
    {
        "platform": Literal["marketo", "eloqua", "hubspot", "pardot", "sfmc", "mailchimp", "braze", "klaviyo", "iterable", "responsys", "adobe_campaign", "customerio", "activecampaign", "sendgrid", "adobe_journey_optimizer", "acoustic", "liquid", "handlebars", "marketing_cloud"],
        "integration_id": str,
    },
    total=False,
)


class Operations(ABC):
    """The operations, in the order of the document."""

    @abstractmethod
    def _call(self, operation: Operation, **given: Any) -> Reply[Any, Any]: ...

    def list_assets(
        self,
        *,
        query: ListAssetsQuery | None = None,
    ) -> Reply[list[types.AssetSummary], types.PageMeta]:
        "List assets. In the order of their creation, without their HTML and text."
        return self._call(
            Operation("listAssets", "GET", "/api/manage/v1/assets", False),
            query=query,
        )

    def create_asset(
        self,
        body: types.AssetInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Asset, None]:
        "Create an asset. The plain text is made from the HTML when none is given, and then changes with it."
        return self._call(
            Operation("createAsset", "POST", "/api/manage/v1/assets", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_asset(
        self,
        id: str,
    ) -> Reply[types.Asset, None]:
        "Read one asset. The asset, and its latest sync for each integration."
        return self._call(
            Operation("readAsset", "GET", "/api/manage/v1/assets/{id}", False),
            path={"id": id},
        )

    def delete_asset(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete an asset. Its syncs go with it, and deliveries that tell of the open ones are cancelled."
        return self._call(
            Operation("deleteAsset", "DELETE", "/api/manage/v1/assets/{id}", False),
            path={"id": id},
        )

    def change_asset(
        self,
        id: str,
        body: types.AssetChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Asset, None]:
        "Change an asset. What is absent stays. Null clears `preheader`, and has `text` made from the HTML again. An email that becomes a landing page loses subject and preheader."
        return self._call(
            Operation("changeAsset", "PATCH", "/api/manage/v1/assets/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_syncs(
        self,
        id: str,
        *,
        query: ListSyncsQuery | None = None,
    ) -> Reply[list[types.Sync], types.PageMeta]:
        "List the syncs of an asset. The newest first."
        return self._call(
            Operation("listSyncs", "GET", "/api/manage/v1/assets/{id}/syncs", False),
            path={"id": id},
            query=query,
        )

    def request_sync(
        self,
        id: str,
        body: types.SyncInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Sync, None]:
        "Request a sync. Every enabled webhook that subscribes to syncRequested gets the event. An open sync of the asset to the same integration is superseded: its status is then `failed`."
        return self._call(
            Operation("requestSync", "POST", "/api/manage/v1/assets/{id}/syncs", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_audit(
        self,
        *,
        query: ListAuditQuery | None = None,
    ) -> Reply[list[types.AuditEntry], types.CursorMeta]:
        "Read the audit. Who did what, the newest first. Entries are never changed."
        return self._call(
            Operation("listAudit", "GET", "/api/manage/v1/audit", False),
            query=query,
        )

    def list_changes(
        self,
        *,
        query: ListChangesQuery | None = None,
    ) -> Reply[list[types.Change], types.Next]:
        "Read the change feed. Every change of a contact, field or sync, in an order in which no entry appears before one that was already returned. Continue from `meta.next`, also when `data` is empty: with types, a call searches a bounded number of entries."
        return self._call(
            Operation("listChanges", "GET", "/api/manage/v1/changes", False),
            query=query,
        )

    def read_company(
        self,
    ) -> Reply[types.Company, None]:
        "Read the company. The company of the key. It is returned even without the product access."
        return self._call(
            Operation("readCompany", "GET", "/api/manage/v1/company", False),
        )

    def change_company(
        self,
        body: types.CompanyChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Company, None]:
        "Change the company. What is absent stays; allowed domains are replaced as a whole. Without the product access, only the company and the audit can be read, and this call can switch it on again."
        return self._call(
            Operation("changeCompany", "PATCH", "/api/manage/v1/company", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def erase_contact(
        self,
        id: str,
        body: types.ErasureInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[None, None]:
        "Erase one contact. Removes an active or deleted contact from everything that is stored, in one transaction. Only entries of the change feed and of the audit stay, without its data, the last of them `contact.erased`. This cannot be undone. With `block` a keyed hash of the email stays too, and no contact can have the email until it is unblocked. The body may be left out."
        return self._call(
            Operation("eraseContact", "POST", "/api/manage/v1/contacts/{id}/erase", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_everything(
        self,
        id: str,
    ) -> Reply[types.Everything, None]:
        "Read all that is known of one person. The contact, active or deleted, with its values, its entries of the change feed, the deliveries of events that name it, and its entries of the audit; of each the latest 10,000. The call leaves the entry `contact.exported` in the audit, and the document has it."
        return self._call(
            Operation("readEverything", "GET", "/api/manage/v1/contacts/{id}/everything", False),
            path={"id": id},
        )

    def list_deliveries(
        self,
        *,
        query: ListDeliveriesQuery | None = None,
    ) -> Reply[list[types.Delivery], types.PageMeta]:
        "List deliveries. The newest first."
        return self._call(
            Operation("listDeliveries", "GET", "/api/manage/v1/deliveries", False),
            query=query,
        )

    def recover_deliveries(
        self,
        body: types.RecoveryInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Recovery, None]:
        "Deliver again what failed. Every delivery to the webhook that became `exhausted` or `skipped` since then. Those whose sync is no longer open become `cancelled`. Tests and what was cancelled are left out."
        return self._call(
            Operation("recoverDeliveries", "POST", "/api/manage/v1/deliveries/recover", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_delivery(
        self,
        id: str,
    ) -> Reply[types.DeliveryDetail, None]:
        "Read one delivery with its attempts. The delivery with its payload and every attempt."
        return self._call(
            Operation("readDelivery", "GET", "/api/manage/v1/deliveries/{id}", False),
            path={"id": id},
        )

    def resend_delivery(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Delivery, None]:
        "Deliver again. Whatever its state: at once, under the same event id, with retries by the whole schedule, and to a webhook that is off once. One that is in progress is tried again only if the running attempt fails."
        return self._call(
            Operation("resendDelivery", "POST", "/api/manage/v1/deliveries/{id}/resend", True),
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    def unblock_email(
        self,
        body: types.UnblockInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[None, None]:
        "Unblock the email of an erased person. Contacts can have the email again. It succeeds also when the email was not blocked."
        return self._call(
            Operation("unblockEmail", "POST", "/api/manage/v1/erasures/unblock", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_integrations(
        self,
        *,
        query: ListIntegrationsQuery | None = None,
    ) -> Reply[list[types.Integration], types.PageMeta]:
        "List integrations. In the order of their creation."
        return self._call(
            Operation("listIntegrations", "GET", "/api/manage/v1/integrations", False),
            query=query,
        )

    def create_integration(
        self,
        body: types.IntegrationInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Integration, None]:
        "Create an integration. A text that a merge tag is mapped to goes out as it was entered."
        return self._call(
            Operation("createIntegration", "POST", "/api/manage/v1/integrations", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_integration(
        self,
        id: str,
    ) -> Reply[types.Integration, None]:
        "Read one integration. The integration with its own texts for merge tags."
        return self._call(
            Operation("readIntegration", "GET", "/api/manage/v1/integrations/{id}", False),
            path={"id": id},
        )

    def delete_integration(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete an integration. Its syncs stay. Open ones are closed, and deliveries that tell of them are cancelled."
        return self._call(
            Operation("deleteIntegration", "DELETE", "/api/manage/v1/integrations/{id}", False),
            path={"id": id},
        )

    def change_integration(
        self,
        id: str,
        body: types.IntegrationChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Integration, None]:
        "Change an integration. What is absent stays. A mapping is replaced as a whole; null clears it."
        return self._call(
            Operation("changeIntegration", "PATCH", "/api/manage/v1/integrations/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_users(
        self,
        *,
        query: ListUsersQuery | None = None,
    ) -> Reply[list[types.User], types.PageMeta]:
        "List users. In the order of their creation."
        return self._call(
            Operation("listUsers", "GET", "/api/manage/v1/users", False),
            query=query,
        )

    def create_user(
        self,
        body: types.UserInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.User, None]:
        "Create a user. Without permissions the user may do nothing yet."
        return self._call(
            Operation("createUser", "POST", "/api/manage/v1/users", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_user(
        self,
        id: str,
    ) -> Reply[types.User, None]:
        "Read one user. The user with all permissions."
        return self._call(
            Operation("readUser", "GET", "/api/manage/v1/users/{id}", False),
            path={"id": id},
        )

    def delete_user(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete a user. The user's keys stop working at once. You cannot delete yourself."
        return self._call(
            Operation("deleteUser", "DELETE", "/api/manage/v1/users/{id}", False),
            path={"id": id},
        )

    def change_user(
        self,
        id: str,
        body: types.UserChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.User, None]:
        "Change a user. What is absent stays; permissions are replaced as a whole. You cannot take `manage_access` from yourself."
        return self._call(
            Operation("changeUser", "PATCH", "/api/manage/v1/users/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_api_keys(
        self,
        id: str,
        *,
        query: ListApiKeysQuery | None = None,
    ) -> Reply[list[types.ApiKey], types.PageMeta]:
        "List the API keys of a user. In the order of their creation, revoked and expired ones too."
        return self._call(
            Operation("listApiKeys", "GET", "/api/manage/v1/users/{id}/api-keys", False),
            path={"id": id},
            query=query,
        )

    def create_api_key(
        self,
        id: str,
        body: types.ApiKeyInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.ApiKeyWithToken, None]:
        "Create an API key. The token is shown this once. The body may be left out."
        return self._call(
            Operation("createApiKey", "POST", "/api/manage/v1/users/{id}/api-keys", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_api_key(
        self,
        id: str,
        key_id: str,
    ) -> Reply[types.ApiKey, None]:
        "Read one API key. The key without its token."
        return self._call(
            Operation("readApiKey", "GET", "/api/manage/v1/users/{id}/api-keys/{key_id}", False),
            path={"id": id, "key_id": key_id},
        )

    def revoke_api_key(
        self,
        id: str,
        key_id: str,
    ) -> Reply[None, None]:
        "Revoke an API key. It stops working at once, and stays to be seen. Revoking it again changes nothing."
        return self._call(
            Operation("revokeApiKey", "DELETE", "/api/manage/v1/users/{id}/api-keys/{key_id}", False),
            path={"id": id, "key_id": key_id},
        )

    def list_webhooks(
        self,
        *,
        query: ListWebhooksQuery | None = None,
    ) -> Reply[list[types.Webhook], types.PageMeta]:
        "List webhooks. In the order of their creation."
        return self._call(
            Operation("listWebhooks", "GET", "/api/manage/v1/webhooks", False),
            query=query,
        )

    def create_webhook(
        self,
        body: types.WebhookInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookWithSecret, None]:
        "Create a webhook. The secret is shown this once. It is generated when none is given."
        return self._call(
            Operation("createWebhook", "POST", "/api/manage/v1/webhooks", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_webhook(
        self,
        id: str,
    ) -> Reply[types.Webhook, None]:
        "Read one webhook. The webhook without its secret, and how its receiver does."
        return self._call(
            Operation("readWebhook", "GET", "/api/manage/v1/webhooks/{id}", False),
            path={"id": id},
        )

    def delete_webhook(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete a webhook. What was to be delivered to it is cancelled, and stays to be seen without its payload."
        return self._call(
            Operation("deleteWebhook", "DELETE", "/api/manage/v1/webhooks/{id}", False),
            path={"id": id},
        )

    def change_webhook(
        self,
        id: str,
        body: types.WebhookChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookMaybeWithSecret, None]:
        "Change a webhook. What is absent stays. Switching it off skips what was to be delivered, switching it on makes it well again. A new secret counts as a rotation with a grace of a day, and is shown this once."
        return self._call(
            Operation("changeWebhook", "PATCH", "/api/manage/v1/webhooks/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def end_previous_secrets(
        self,
        id: str,
    ) -> Reply[None, None]:
        "End the old secrets. From now on deliveries are signed with the current secret alone."
        return self._call(
            Operation("endPreviousSecrets", "DELETE", "/api/manage/v1/webhooks/{id}/previous-secrets", False),
            path={"id": id},
        )

    def rotate_secret(
        self,
        id: str,
        body: types.RotationInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookWithSecret, None]:
        "Give a webhook a new secret. The secret before it stays valid for `grace_seconds`, a day when none is input; meanwhile deliveries are signed with both. The new one is shown this once. The body may be left out."
        return self._call(
            Operation("rotateSecret", "POST", "/api/manage/v1/webhooks/{id}/rotate-secret", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.TestAttempt, None]:
        "Send a test event. Sends an event of the kind `test` at once, to a webhook that is on or off, and answers with the attempt. It is never retried and touches no sync."
        return self._call(
            Operation("testWebhook", "POST", "/api/manage/v1/webhooks/{id}/test", True),
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    def list_contacts(
        self,
        *,
        query: ListContactsQuery | None = None,
    ) -> Reply[list[types.ListedContact], types.ContactsPageMeta]:
        "List contacts. Active contacts; filters and search all have to fit. With `page[after]` a list is read from one place to the next, at the same cost from its beginning to its end: each contact that matches unchanged meanwhile is met exactly once, and `meta` has only `per_page` and `next`. Such a page may have fewer contacts when they have very many values: the list ends when `next` is null. Strings are sorted by about their first thousand bytes. With `page[total]=false` nothing is counted. A numbered page of several contacts with more than 16 MiB of values is rejected with 422."
        return self._call(
            Operation("listContacts", "GET", "/api/public/v1/contacts", False),
            query=query,
        )

    def create_contact(
        self,
        body: types.ContactInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Contact, None]:
        "Create or restore a contact. Creates only: an active contact with the email is a conflict. A deleted one is restored under its old id."
        return self._call(
            Operation("createContact", "POST", "/api/public/v1/contacts", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def upsert_contacts(
        self,
        body: types.BulkInput,
        *,
        query: UpsertContactsQuery | None = None,
        idempotency_key: str | None = None,
    ) -> Reply[types.BulkResult, None]:
        "Create or update many contacts. Contacts are matched by email; rows count as if one by one in their order. Valid rows are processed even if others fail. An update leaves an absent `avatar_url` and absent field values as they are. With `dry_run=true` nothing is written, and the answer is what it would be."
        return self._call(
            Operation("upsertContacts", "POST", "/api/public/v1/contacts/bulk", True),
            body=body,
            query=query,
            idempotency_key=idempotency_key,
        )

    def delete_contacts(
        self,
        body: types.BulkDeleteInput,
    ) -> Reply[types.BulkDeleteResult, None]:
        "Delete many contacts. Ids that are unknown or deleted already are ignored and not counted."
        return self._call(
            Operation("deleteContacts", "DELETE", "/api/public/v1/contacts/bulk", False),
            body=body,
        )

    def delete_contacts_by_post(
        self,
        body: types.BulkDeleteInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.BulkDeleteResult, None]:
        "Delete many contacts, for proxies that drop a DELETE's body. Ids that are unknown or deleted already are ignored and not counted."
        return self._call(
            Operation("deleteContactsByPost", "POST", "/api/public/v1/contacts/bulk-delete", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def look_up_contacts(
        self,
        body: types.LookupInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[list[types.ContactDetail], types.LookupMeta]:
        "Look up many contacts by id or by email. The contacts with their values, each once, in the order of the entries. `meta.missing` has the entries that no active contact has. Contacts with more than 16 MiB of values together are rejected with 422: ask for fewer."
        return self._call(
            Operation("lookUpContacts", "POST", "/api/public/v1/contacts/lookup", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def read_contact(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Reply[types.ContactDetail, None]:
        "Read one contact with its values. The contact's attributes, with its values in the order of the fields' creation."
        return self._call(
            Operation("readContact", "GET", "/api/public/v1/contacts/{id}", False),
            path={"id": id},
            if_none_match=if_none_match,
        )

    def delete_contact(
        self,
        id: str,
        *,
        if_match: str | None = None,
    ) -> Reply[None, None]:
        "Delete one contact. Creating a contact with its email restores it."
        return self._call(
            Operation("deleteContact", "DELETE", "/api/public/v1/contacts/{id}", False),
            path={"id": id},
            if_match=if_match,
        )

    def change_contact(
        self,
        id: str,
        body: types.ContactChangeInput,
        *,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Reply[types.ContactDetail, None]:
        "Change one contact. Changes what the body has, which is at least one property. Field values are merged: a value is set, null removes it, and the others stay. A change after which nothing differs keeps the version."
        return self._call(
            Operation("changeContact", "PATCH", "/api/public/v1/contacts/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
        )

    def read_field_values(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Reply[list[types.FieldValueEntry], None]:
        "Read the values of a contact. In the order of the fields' creation, as in the detail of the contact."
        return self._call(
            Operation("readFieldValues", "GET", "/api/public/v1/contacts/{id}/field-values", False),
            path={"id": id},
            if_none_match=if_none_match,
        )

    def replace_field_values(
        self,
        id: str,
        body: types.FieldValuesInput,
        *,
        if_match: str | None = None,
    ) -> Reply[list[types.FieldValueEntry], None]:
        "Replace the values of a contact. Replaces all: a value whose field is absent from the request is removed."
        return self._call(
            Operation("replaceFieldValues", "PUT", "/api/public/v1/contacts/{id}/field-values", False),
            path={"id": id},
            body=body,
            if_match=if_match,
        )

    def list_fields(
        self,
        *,
        query: ListFieldsQuery | None = None,
    ) -> Reply[list[types.Field], None]:
        "List all fields. In the order of their creation, all in one answer; archived ones only if they are asked for."
        return self._call(
            Operation("listFields", "GET", "/api/public/v1/fields", False),
            query=query,
        )

    def create_field(
        self,
        body: types.FieldInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Field, None]:
        "Create a field. The key is derived from the name; use the one of the answer when setting values."
        return self._call(
            Operation("createField", "POST", "/api/public/v1/fields", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    def change_field(
        self,
        id: str,
        body: types.FieldChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Field, None]:
        "Change a field. What is absent stays; the key and the type never change. An archived field takes no new values, but contacts keep those that they have, also when their other values are replaced. It does not count against the number of fields, and its key stays taken."
        return self._call(
            Operation("changeField", "PATCH", "/api/public/v1/fields/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_field_values(
        self,
        id: str,
        *,
        query: ListFieldValuesQuery | None = None,
    ) -> Reply[list[types.Scalar], types.PageMeta]:
        "List the distinct values in use for a field. Values of active contacts, ascending in the order of the field's type."
        return self._call(
            Operation("listFieldValues", "GET", "/api/public/v1/fields/{id}/values", False),
            path={"id": id},
            query=query,
        )

    def read_content(
        self,
        id: str,
        *,
        query: ReadContentQuery | None = None,
        if_none_match: str | None = None,
    ) -> Reply[types.Content, None]:
        "Read the content of an asset. Metadata, HTML and plain text, with the merge tags in the syntax of a platform. The link in an event leads here."
        return self._call(
            Operation("readContent", "GET", "/api/published/v1/assets/{id}/content", False),
            path={"id": id},
            query=query,
            if_none_match=if_none_match,
        )

    def report_sync(
        self,
        id: str,
        body: types.SyncReport,
    ) -> Reply[types.Sync, None]:
        "Report the result of a sync. Of the sync that `sync_id` names, else of the asset's one open sync. The same report again changes nothing."
        return self._call(
            Operation("reportSync", "PATCH", "/api/published/v1/sync-status/{id}", False),
            path={"id": id},
            body=body,
        )


class AsyncOperations(ABC):
    """The operations, in the order of the document."""

    @abstractmethod
    async def _call(self, operation: Operation, **given: Any) -> Reply[Any, Any]: ...

    async def list_assets(
        self,
        *,
        query: ListAssetsQuery | None = None,
    ) -> Reply[list[types.AssetSummary], types.PageMeta]:
        "List assets. In the order of their creation, without their HTML and text."
        return await self._call(
            Operation("listAssets", "GET", "/api/manage/v1/assets", False),
            query=query,
        )

    async def create_asset(
        self,
        body: types.AssetInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Asset, None]:
        "Create an asset. The plain text is made from the HTML when none is given, and then changes with it."
        return await self._call(
            Operation("createAsset", "POST", "/api/manage/v1/assets", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_asset(
        self,
        id: str,
    ) -> Reply[types.Asset, None]:
        "Read one asset. The asset, and its latest sync for each integration."
        return await self._call(
            Operation("readAsset", "GET", "/api/manage/v1/assets/{id}", False),
            path={"id": id},
        )

    async def delete_asset(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete an asset. Its syncs go with it, and deliveries that tell of the open ones are cancelled."
        return await self._call(
            Operation("deleteAsset", "DELETE", "/api/manage/v1/assets/{id}", False),
            path={"id": id},
        )

    async def change_asset(
        self,
        id: str,
        body: types.AssetChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Asset, None]:
        "Change an asset. What is absent stays. Null clears `preheader`, and has `text` made from the HTML again. An email that becomes a landing page loses subject and preheader."
        return await self._call(
            Operation("changeAsset", "PATCH", "/api/manage/v1/assets/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_syncs(
        self,
        id: str,
        *,
        query: ListSyncsQuery | None = None,
    ) -> Reply[list[types.Sync], types.PageMeta]:
        "List the syncs of an asset. The newest first."
        return await self._call(
            Operation("listSyncs", "GET", "/api/manage/v1/assets/{id}/syncs", False),
            path={"id": id},
            query=query,
        )

    async def request_sync(
        self,
        id: str,
        body: types.SyncInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Sync, None]:
        "Request a sync. Every enabled webhook that subscribes to syncRequested gets the event. An open sync of the asset to the same integration is superseded: its status is then `failed`."
        return await self._call(
            Operation("requestSync", "POST", "/api/manage/v1/assets/{id}/syncs", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_audit(
        self,
        *,
        query: ListAuditQuery | None = None,
    ) -> Reply[list[types.AuditEntry], types.CursorMeta]:
        "Read the audit. Who did what, the newest first. Entries are never changed."
        return await self._call(
            Operation("listAudit", "GET", "/api/manage/v1/audit", False),
            query=query,
        )

    async def list_changes(
        self,
        *,
        query: ListChangesQuery | None = None,
    ) -> Reply[list[types.Change], types.Next]:
        "Read the change feed. Every change of a contact, field or sync, in an order in which no entry appears before one that was already returned. Continue from `meta.next`, also when `data` is empty: with types, a call searches a bounded number of entries."
        return await self._call(
            Operation("listChanges", "GET", "/api/manage/v1/changes", False),
            query=query,
        )

    async def read_company(
        self,
    ) -> Reply[types.Company, None]:
        "Read the company. The company of the key. It is returned even without the product access."
        return await self._call(
            Operation("readCompany", "GET", "/api/manage/v1/company", False),
        )

    async def change_company(
        self,
        body: types.CompanyChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Company, None]:
        "Change the company. What is absent stays; allowed domains are replaced as a whole. Without the product access, only the company and the audit can be read, and this call can switch it on again."
        return await self._call(
            Operation("changeCompany", "PATCH", "/api/manage/v1/company", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def erase_contact(
        self,
        id: str,
        body: types.ErasureInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[None, None]:
        "Erase one contact. Removes an active or deleted contact from everything that is stored, in one transaction. Only entries of the change feed and of the audit stay, without its data, the last of them `contact.erased`. This cannot be undone. With `block` a keyed hash of the email stays too, and no contact can have the email until it is unblocked. The body may be left out."
        return await self._call(
            Operation("eraseContact", "POST", "/api/manage/v1/contacts/{id}/erase", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_everything(
        self,
        id: str,
    ) -> Reply[types.Everything, None]:
        "Read all that is known of one person. The contact, active or deleted, with its values, its entries of the change feed, the deliveries of events that name it, and its entries of the audit; of each the latest 10,000. The call leaves the entry `contact.exported` in the audit, and the document has it."
        return await self._call(
            Operation("readEverything", "GET", "/api/manage/v1/contacts/{id}/everything", False),
            path={"id": id},
        )

    async def list_deliveries(
        self,
        *,
        query: ListDeliveriesQuery | None = None,
    ) -> Reply[list[types.Delivery], types.PageMeta]:
        "List deliveries. The newest first."
        return await self._call(
            Operation("listDeliveries", "GET", "/api/manage/v1/deliveries", False),
            query=query,
        )

    async def recover_deliveries(
        self,
        body: types.RecoveryInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Recovery, None]:
        "Deliver again what failed. Every delivery to the webhook that became `exhausted` or `skipped` since then. Those whose sync is no longer open become `cancelled`. Tests and what was cancelled are left out."
        return await self._call(
            Operation("recoverDeliveries", "POST", "/api/manage/v1/deliveries/recover", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_delivery(
        self,
        id: str,
    ) -> Reply[types.DeliveryDetail, None]:
        "Read one delivery with its attempts. The delivery with its payload and every attempt."
        return await self._call(
            Operation("readDelivery", "GET", "/api/manage/v1/deliveries/{id}", False),
            path={"id": id},
        )

    async def resend_delivery(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Delivery, None]:
        "Deliver again. Whatever its state: at once, under the same event id, with retries by the whole schedule, and to a webhook that is off once. One that is in progress is tried again only if the running attempt fails."
        return await self._call(
            Operation("resendDelivery", "POST", "/api/manage/v1/deliveries/{id}/resend", True),
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def unblock_email(
        self,
        body: types.UnblockInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[None, None]:
        "Unblock the email of an erased person. Contacts can have the email again. It succeeds also when the email was not blocked."
        return await self._call(
            Operation("unblockEmail", "POST", "/api/manage/v1/erasures/unblock", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_integrations(
        self,
        *,
        query: ListIntegrationsQuery | None = None,
    ) -> Reply[list[types.Integration], types.PageMeta]:
        "List integrations. In the order of their creation."
        return await self._call(
            Operation("listIntegrations", "GET", "/api/manage/v1/integrations", False),
            query=query,
        )

    async def create_integration(
        self,
        body: types.IntegrationInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Integration, None]:
        "Create an integration. A text that a merge tag is mapped to goes out as it was entered."
        return await self._call(
            Operation("createIntegration", "POST", "/api/manage/v1/integrations", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_integration(
        self,
        id: str,
    ) -> Reply[types.Integration, None]:
        "Read one integration. The integration with its own texts for merge tags."
        return await self._call(
            Operation("readIntegration", "GET", "/api/manage/v1/integrations/{id}", False),
            path={"id": id},
        )

    async def delete_integration(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete an integration. Its syncs stay. Open ones are closed, and deliveries that tell of them are cancelled."
        return await self._call(
            Operation("deleteIntegration", "DELETE", "/api/manage/v1/integrations/{id}", False),
            path={"id": id},
        )

    async def change_integration(
        self,
        id: str,
        body: types.IntegrationChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Integration, None]:
        "Change an integration. What is absent stays. A mapping is replaced as a whole; null clears it."
        return await self._call(
            Operation("changeIntegration", "PATCH", "/api/manage/v1/integrations/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_users(
        self,
        *,
        query: ListUsersQuery | None = None,
    ) -> Reply[list[types.User], types.PageMeta]:
        "List users. In the order of their creation."
        return await self._call(
            Operation("listUsers", "GET", "/api/manage/v1/users", False),
            query=query,
        )

    async def create_user(
        self,
        body: types.UserInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.User, None]:
        "Create a user. Without permissions the user may do nothing yet."
        return await self._call(
            Operation("createUser", "POST", "/api/manage/v1/users", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_user(
        self,
        id: str,
    ) -> Reply[types.User, None]:
        "Read one user. The user with all permissions."
        return await self._call(
            Operation("readUser", "GET", "/api/manage/v1/users/{id}", False),
            path={"id": id},
        )

    async def delete_user(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete a user. The user's keys stop working at once. You cannot delete yourself."
        return await self._call(
            Operation("deleteUser", "DELETE", "/api/manage/v1/users/{id}", False),
            path={"id": id},
        )

    async def change_user(
        self,
        id: str,
        body: types.UserChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.User, None]:
        "Change a user. What is absent stays; permissions are replaced as a whole. You cannot take `manage_access` from yourself."
        return await self._call(
            Operation("changeUser", "PATCH", "/api/manage/v1/users/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_api_keys(
        self,
        id: str,
        *,
        query: ListApiKeysQuery | None = None,
    ) -> Reply[list[types.ApiKey], types.PageMeta]:
        "List the API keys of a user. In the order of their creation, revoked and expired ones too."
        return await self._call(
            Operation("listApiKeys", "GET", "/api/manage/v1/users/{id}/api-keys", False),
            path={"id": id},
            query=query,
        )

    async def create_api_key(
        self,
        id: str,
        body: types.ApiKeyInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.ApiKeyWithToken, None]:
        "Create an API key. The token is shown this once. The body may be left out."
        return await self._call(
            Operation("createApiKey", "POST", "/api/manage/v1/users/{id}/api-keys", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_api_key(
        self,
        id: str,
        key_id: str,
    ) -> Reply[types.ApiKey, None]:
        "Read one API key. The key without its token."
        return await self._call(
            Operation("readApiKey", "GET", "/api/manage/v1/users/{id}/api-keys/{key_id}", False),
            path={"id": id, "key_id": key_id},
        )

    async def revoke_api_key(
        self,
        id: str,
        key_id: str,
    ) -> Reply[None, None]:
        "Revoke an API key. It stops working at once, and stays to be seen. Revoking it again changes nothing."
        return await self._call(
            Operation("revokeApiKey", "DELETE", "/api/manage/v1/users/{id}/api-keys/{key_id}", False),
            path={"id": id, "key_id": key_id},
        )

    async def list_webhooks(
        self,
        *,
        query: ListWebhooksQuery | None = None,
    ) -> Reply[list[types.Webhook], types.PageMeta]:
        "List webhooks. In the order of their creation."
        return await self._call(
            Operation("listWebhooks", "GET", "/api/manage/v1/webhooks", False),
            query=query,
        )

    async def create_webhook(
        self,
        body: types.WebhookInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookWithSecret, None]:
        "Create a webhook. The secret is shown this once. It is generated when none is given."
        return await self._call(
            Operation("createWebhook", "POST", "/api/manage/v1/webhooks", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_webhook(
        self,
        id: str,
    ) -> Reply[types.Webhook, None]:
        "Read one webhook. The webhook without its secret, and how its receiver does."
        return await self._call(
            Operation("readWebhook", "GET", "/api/manage/v1/webhooks/{id}", False),
            path={"id": id},
        )

    async def delete_webhook(
        self,
        id: str,
    ) -> Reply[None, None]:
        "Delete a webhook. What was to be delivered to it is cancelled, and stays to be seen without its payload."
        return await self._call(
            Operation("deleteWebhook", "DELETE", "/api/manage/v1/webhooks/{id}", False),
            path={"id": id},
        )

    async def change_webhook(
        self,
        id: str,
        body: types.WebhookChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookMaybeWithSecret, None]:
        "Change a webhook. What is absent stays. Switching it off skips what was to be delivered, switching it on makes it well again. A new secret counts as a rotation with a grace of a day, and is shown this once."
        return await self._call(
            Operation("changeWebhook", "PATCH", "/api/manage/v1/webhooks/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def end_previous_secrets(
        self,
        id: str,
    ) -> Reply[None, None]:
        "End the old secrets. From now on deliveries are signed with the current secret alone."
        return await self._call(
            Operation("endPreviousSecrets", "DELETE", "/api/manage/v1/webhooks/{id}/previous-secrets", False),
            path={"id": id},
        )

    async def rotate_secret(
        self,
        id: str,
        body: types.RotationInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.WebhookWithSecret, None]:
        "Give a webhook a new secret. The secret before it stays valid for `grace_seconds`, a day when none is input; meanwhile deliveries are signed with both. The new one is shown this once. The body may be left out."
        return await self._call(
            Operation("rotateSecret", "POST", "/api/manage/v1/webhooks/{id}/rotate-secret", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.TestAttempt, None]:
        "Send a test event. Sends an event of the kind `test` at once, to a webhook that is on or off, and answers with the attempt. It is never retried and touches no sync."
        return await self._call(
            Operation("testWebhook", "POST", "/api/manage/v1/webhooks/{id}/test", True),
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def list_contacts(
        self,
        *,
        query: ListContactsQuery | None = None,
    ) -> Reply[list[types.ListedContact], types.ContactsPageMeta]:
        "List contacts. Active contacts; filters and search all have to fit. With `page[after]` a list is read from one place to the next, at the same cost from its beginning to its end: each contact that matches unchanged meanwhile is met exactly once, and `meta` has only `per_page` and `next`. Such a page may have fewer contacts when they have very many values: the list ends when `next` is null. Strings are sorted by about their first thousand bytes. With `page[total]=false` nothing is counted. A numbered page of several contacts with more than 16 MiB of values is rejected with 422."
        return await self._call(
            Operation("listContacts", "GET", "/api/public/v1/contacts", False),
            query=query,
        )

    async def create_contact(
        self,
        body: types.ContactInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Contact, None]:
        "Create or restore a contact. Creates only: an active contact with the email is a conflict. A deleted one is restored under its old id."
        return await self._call(
            Operation("createContact", "POST", "/api/public/v1/contacts", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def upsert_contacts(
        self,
        body: types.BulkInput,
        *,
        query: UpsertContactsQuery | None = None,
        idempotency_key: str | None = None,
    ) -> Reply[types.BulkResult, None]:
        "Create or update many contacts. Contacts are matched by email; rows count as if one by one in their order. Valid rows are processed even if others fail. An update leaves an absent `avatar_url` and absent field values as they are. With `dry_run=true` nothing is written, and the answer is what it would be."
        return await self._call(
            Operation("upsertContacts", "POST", "/api/public/v1/contacts/bulk", True),
            body=body,
            query=query,
            idempotency_key=idempotency_key,
        )

    async def delete_contacts(
        self,
        body: types.BulkDeleteInput,
    ) -> Reply[types.BulkDeleteResult, None]:
        "Delete many contacts. Ids that are unknown or deleted already are ignored and not counted."
        return await self._call(
            Operation("deleteContacts", "DELETE", "/api/public/v1/contacts/bulk", False),
            body=body,
        )

    async def delete_contacts_by_post(
        self,
        body: types.BulkDeleteInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.BulkDeleteResult, None]:
        "Delete many contacts, for proxies that drop a DELETE's body. Ids that are unknown or deleted already are ignored and not counted."
        return await self._call(
            Operation("deleteContactsByPost", "POST", "/api/public/v1/contacts/bulk-delete", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def look_up_contacts(
        self,
        body: types.LookupInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[list[types.ContactDetail], types.LookupMeta]:
        "Look up many contacts by id or by email. The contacts with their values, each once, in the order of the entries. `meta.missing` has the entries that no active contact has. Contacts with more than 16 MiB of values together are rejected with 422: ask for fewer."
        return await self._call(
            Operation("lookUpContacts", "POST", "/api/public/v1/contacts/lookup", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def read_contact(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Reply[types.ContactDetail, None]:
        "Read one contact with its values. The contact's attributes, with its values in the order of the fields' creation."
        return await self._call(
            Operation("readContact", "GET", "/api/public/v1/contacts/{id}", False),
            path={"id": id},
            if_none_match=if_none_match,
        )

    async def delete_contact(
        self,
        id: str,
        *,
        if_match: str | None = None,
    ) -> Reply[None, None]:
        "Delete one contact. Creating a contact with its email restores it."
        return await self._call(
            Operation("deleteContact", "DELETE", "/api/public/v1/contacts/{id}", False),
            path={"id": id},
            if_match=if_match,
        )

    async def change_contact(
        self,
        id: str,
        body: types.ContactChangeInput,
        *,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Reply[types.ContactDetail, None]:
        "Change one contact. Changes what the body has, which is at least one property. Field values are merged: a value is set, null removes it, and the others stay. A change after which nothing differs keeps the version."
        return await self._call(
            Operation("changeContact", "PATCH", "/api/public/v1/contacts/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
        )

    async def read_field_values(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
    ) -> Reply[list[types.FieldValueEntry], None]:
        "Read the values of a contact. In the order of the fields' creation, as in the detail of the contact."
        return await self._call(
            Operation("readFieldValues", "GET", "/api/public/v1/contacts/{id}/field-values", False),
            path={"id": id},
            if_none_match=if_none_match,
        )

    async def replace_field_values(
        self,
        id: str,
        body: types.FieldValuesInput,
        *,
        if_match: str | None = None,
    ) -> Reply[list[types.FieldValueEntry], None]:
        "Replace the values of a contact. Replaces all: a value whose field is absent from the request is removed."
        return await self._call(
            Operation("replaceFieldValues", "PUT", "/api/public/v1/contacts/{id}/field-values", False),
            path={"id": id},
            body=body,
            if_match=if_match,
        )

    async def list_fields(
        self,
        *,
        query: ListFieldsQuery | None = None,
    ) -> Reply[list[types.Field], None]:
        "List all fields. In the order of their creation, all in one answer; archived ones only if they are asked for."
        return await self._call(
            Operation("listFields", "GET", "/api/public/v1/fields", False),
            query=query,
        )

    async def create_field(
        self,
        body: types.FieldInput,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Field, None]:
        "Create a field. The key is derived from the name; use the one of the answer when setting values."
        return await self._call(
            Operation("createField", "POST", "/api/public/v1/fields", True),
            body=body,
            idempotency_key=idempotency_key,
        )

    async def change_field(
        self,
        id: str,
        body: types.FieldChange,
        *,
        idempotency_key: str | None = None,
    ) -> Reply[types.Field, None]:
        "Change a field. What is absent stays; the key and the type never change. An archived field takes no new values, but contacts keep those that they have, also when their other values are replaced. It does not count against the number of fields, and its key stays taken."
        return await self._call(
            Operation("changeField", "PATCH", "/api/public/v1/fields/{id}", True),
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )

    async def list_field_values(
        self,
        id: str,
        *,
        query: ListFieldValuesQuery | None = None,
    ) -> Reply[list[types.Scalar], types.PageMeta]:
        "List the distinct values in use for a field. Values of active contacts, ascending in the order of the field's type."
        return await self._call(
            Operation("listFieldValues", "GET", "/api/public/v1/fields/{id}/values", False),
            path={"id": id},
            query=query,
        )

    async def read_content(
        self,
        id: str,
        *,
        query: ReadContentQuery | None = None,
        if_none_match: str | None = None,
    ) -> Reply[types.Content, None]:
        "Read the content of an asset. Metadata, HTML and plain text, with the merge tags in the syntax of a platform. The link in an event leads here."
        return await self._call(
            Operation("readContent", "GET", "/api/published/v1/assets/{id}/content", False),
            path={"id": id},
            query=query,
            if_none_match=if_none_match,
        )

    async def report_sync(
        self,
        id: str,
        body: types.SyncReport,
    ) -> Reply[types.Sync, None]:
        "Report the result of a sync. Of the sync that `sync_id` names, else of the asset's one open sync. The same report again changes nothing."
        return await self._call(
            Operation("reportSync", "PATCH", "/api/published/v1/sync-status/{id}", False),
            path={"id": id},
            body=body,
        )

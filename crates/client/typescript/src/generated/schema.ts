// Generated from the OpenAPI document by openapi-typescript and scripts/generate.mjs.

export interface paths {
    "/api/manage/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assets
         * @description In the order of their creation, without their HTML and text.
         */
        get: operations["listAssets"];
        put?: never;
        /**
         * Create an asset
         * @description The plain text is made from the HTML when none is given, and then changes with it.
         */
        post: operations["createAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one asset
         * @description The asset, and its latest sync for each integration.
         */
        get: operations["readAsset"];
        put?: never;
        post?: never;
        /**
         * Delete an asset
         * @description Its syncs go with it, and deliveries that tell of the open ones are cancelled.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        /**
         * Change an asset
         * @description What is absent stays. Null clears `preheader`, and has `text` made from the HTML again. An email that becomes a landing page loses subject and preheader.
         */
        patch: operations["changeAsset"];
        trace?: never;
    };
    "/api/manage/v1/assets/{id}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the syncs of an asset
         * @description The newest first.
         */
        get: operations["listSyncs"];
        put?: never;
        /**
         * Request a sync
         * @description Every enabled webhook that subscribes to syncRequested gets the event. An open sync of the asset to the same integration is superseded: its status is then `failed`.
         */
        post: operations["requestSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit
         * @description Who did what, the newest first. Entries are never changed.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the change feed
         * @description Every change of a contact, field or sync, in an order in which no entry appears before one that was already returned. Continue from `meta.next`, also when `data` is empty: with types, a call searches a bounded number of entries.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the company
         * @description The company of the key. It is returned even without the product access.
         */
        get: operations["readCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the company
         * @description What is absent stays; allowed domains are replaced as a whole. Without the product access, only the company and the audit can be read, and this call can switch it on again.
         */
        patch: operations["changeCompany"];
        trace?: never;
    };
    "/api/manage/v1/contacts/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase one contact
         * @description Removes an active or deleted contact from everything that is stored, in one transaction. Only entries of the change feed and of the audit stay, without its data, the last of them `contact.erased`. This cannot be undone. With `block` a keyed hash of the email stays too, and no contact can have the email until it is unblocked. The body may be left out.
         */
        post: operations["eraseContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/contacts/{id}/everything": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read all that is known of one person
         * @description The contact, active or deleted, with its values, its entries of the change feed, the deliveries of events that name it, and its entries of the audit; of each the latest 10,000. The call leaves the entry `contact.exported` in the audit, and the document has it.
         */
        get: operations["readEverything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The newest first.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/deliveries/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again what failed
         * @description Every delivery to the webhook that became `exhausted` or `skipped` since then. Those whose sync is no longer open become `cancelled`. Tests and what was cancelled are left out.
         */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery with its attempts
         * @description The delivery with its payload and every attempt.
         */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Whatever its state: at once, under the same event id, with retries by the whole schedule, and to a webhook that is off once. One that is in progress is tried again only if the running attempt fails.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/erasures/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock the email of an erased person
         * @description Contacts can have the email again. It succeeds also when the email was not blocked.
         */
        post: operations["unblockEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description In the order of their creation.
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description A text that a merge tag is mapped to goes out as it was entered.
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one integration
         * @description The integration with its own texts for merge tags.
         */
        get: operations["readIntegration"];
        put?: never;
        post?: never;
        /**
         * Delete an integration
         * @description Its syncs stay. Open ones are closed, and deliveries that tell of them are cancelled.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /**
         * Change an integration
         * @description What is absent stays. A mapping is replaced as a whole; null clears it.
         */
        patch: operations["changeIntegration"];
        trace?: never;
    };
    "/api/manage/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description In the order of their creation.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Without permissions the user may do nothing yet.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one user
         * @description The user with all permissions.
         */
        get: operations["readUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description The user's keys stop working at once. You cannot delete yourself.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description What is absent stays; permissions are replaced as a whole. You cannot take `manage_access` from yourself.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/manage/v1/users/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a user
         * @description In the order of their creation, revoked and expired ones too.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The token is shown this once. The body may be left out.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/users/{id}/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one API key
         * @description The key without its token.
         */
        get: operations["readApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working at once, and stays to be seen. Revoking it again changes nothing.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description In the order of their creation.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The secret is shown this once. It is generated when none is given.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description The webhook without its secret, and how its receiver does.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description What was to be delivered to it is cancelled, and stays to be seen without its payload.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description What is absent stays. Switching it off skips what was to be delivered, switching it on makes it well again. A new secret counts as a rotation with a grace of a day, and is shown this once.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/manage/v1/webhooks/{id}/previous-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the old secrets
         * @description From now on deliveries are signed with the current secret alone.
         */
        delete: operations["endPreviousSecrets"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description The secret before it stays valid for `grace_seconds`, a day when none is input; meanwhile deliveries are signed with both. The new one is shown this once. The body may be left out.
         */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the kind `test` at once, to a webhook that is on or off, and answers with the attempt. It is never retried and touches no sync.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Active contacts; filters and search all have to fit. With `page[after]` a list is read from one place to the next, at the same cost from its beginning to its end: each contact that matches unchanged meanwhile is met exactly once, and `meta` has only `per_page` and `next`. Such a page may have fewer contacts when they have very many values: the list ends when `next` is null. Strings are sorted by about their first thousand bytes. With `page[total]=false` nothing is counted. A numbered page of several contacts with more than 16 MiB of values is rejected with 422.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create or restore a contact
         * @description Creates only: an active contact with the email is a conflict. A deleted one is restored under its old id.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many contacts
         * @description Contacts are matched by email; rows count as if one by one in their order. Valid rows are processed even if others fail. An update leaves an absent `avatar_url` and absent field values as they are. With `dry_run=true` nothing is written, and the answer is what it would be.
         */
        post: operations["upsertContacts"];
        /**
         * Delete many contacts
         * @description Ids that are unknown or deleted already are ignored and not counted.
         */
        delete: operations["deleteContacts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many contacts, for proxies that drop a DELETE's body
         * @description Ids that are unknown or deleted already are ignored and not counted.
         */
        post: operations["deleteContactsByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description All contacts that filters and search find, with their values, in the order of `sort[]`. The answer is written while contacts are read; one that breaks off lacks the end of its chunked encoding. It goes on after any line with the line's `_cursor` as `page[after]`, and the same filters, sorts and search. CSV has a column for each field.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up many contacts by id or by email
         * @description The contacts with their values, each once, in the order of the entries. `meta.missing` has the entries that no active contact has. Contacts with more than 16 MiB of values together are rejected with 422: ask for fewer.
         */
        post: operations["lookUpContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one contact with its values
         * @description The contact's attributes, with its values in the order of the fields' creation.
         */
        get: operations["readContact"];
        put?: never;
        post?: never;
        /**
         * Delete one contact
         * @description Creating a contact with its email restores it.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Change one contact
         * @description Changes what the body has, which is at least one property. Field values are merged: a value is set, null removes it, and the others stay. A change after which nothing differs keeps the version.
         */
        patch: operations["changeContact"];
        trace?: never;
    };
    "/api/public/v1/contacts/{id}/field-values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the values of a contact
         * @description In the order of the fields' creation, as in the detail of the contact.
         */
        get: operations["readFieldValues"];
        /**
         * Replace the values of a contact
         * @description Replaces all: a value whose field is absent from the request is removed.
         */
        put: operations["replaceFieldValues"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all fields
         * @description In the order of their creation, all in one answer; archived ones only if they are asked for.
         */
        get: operations["listFields"];
        put?: never;
        /**
         * Create a field
         * @description The key is derived from the name; use the one of the answer when setting values.
         */
        post: operations["createField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a field
         * @description What is absent stays; the key and the type never change. An archived field takes no new values, but contacts keep those that they have, also when their other values are replaced. It does not count against the number of fields, and its key stays taken.
         */
        patch: operations["changeField"];
        trace?: never;
    };
    "/api/public/v1/fields/{id}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the distinct values in use for a field
         * @description Values of active contacts, ascending in the order of the field's type.
         */
        get: operations["listFieldValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/published/v1/assets/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the content of an asset
         * @description Metadata, HTML and plain text, with the merge tags in the syntax of a platform. The link in an event leads here.
         */
        get: operations["readContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/published/v1/sync-status/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Report the result of a sync
         * @description Of the sync that `sync_id` names, else of the asset's one open sync. The same report again changes nothing.
         */
        patch: operations["reportSync"];
        trace?: never;
    };
}
export interface webhooks {
    alertRaised: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook fails, an import has ended or a key expires soon, as users choose under Alerts
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["alertRaisedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    contactsChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contacts were created, changed, deleted, restored or erased; up to 100 changes in one event
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["contactsChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    fieldsChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fields were created or changed; up to 100 changes in one event
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["fieldsChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    syncRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user asked for an asset to be synced
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["syncRequestedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    syncsChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Syncs were requested, completed or failed; up to 100 changes in one event
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["syncsChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Someone tried the webhook out; never tried again
         * @description Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again for about three days; 410 switches the webhook off.
         */
        post: operations["testEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AlertRaisedEvent: {
            /** @enum {string} */
            alert: "webhook_failing" | "webhook_warned" | "webhook_off" | "import_ended" | "key_expires";
            /**
             * Format: date-time
             * @description When it happened
             */
            at: string;
            /**
             * Format: date-time
             * @description When the event was made
             */
            created_at: string;
            /** @description A sentence for people */
            detail: string;
            /** @enum {string} */
            event: "alertRaised";
            /** Format: uuid */
            id: string;
            /** @description The name of the object or of the file */
            name: string;
            /**
             * Format: uuid
             * @description The webhook or the API key, or the user who imported
             */
            object_id: string;
        };
        /** @description An API key, without its token. */
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description From this moment on it is invalid; null when it does not expire.
             */
            expires_at: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description To the minute, shortly after; null when it was never used.
             */
            last_used_at: string | null;
            name: string;
            /**
             * Format: date-time
             * @description Null while it is not revoked.
             */
            revoked_at: string | null;
            /** @description The first characters of the token, by which a person tells keys apart. */
            start: string;
        };
        ApiKeyInput: {
            /**
             * Format: date-time
             * @description In the future; never when absent
             */
            expires_at?: string | null;
            /** @description A label; `API key` when there is none */
            name?: string | null;
        };
        /** @description An API key with its token, which is shown this once. */
        ApiKeyWithToken: components["schemas"]["ApiKey"] & {
            /** @description What follows `Bearer`. */
            token: string;
        };
        ApplicationError: {
            error: {
                /** @enum {string} */
                code: "ACCESS_DENIED" | "API_KEY_NOT_FOUND" | "ASSET_NOT_FOUND" | "ASSET_TYPE_NOT_SUPPORTED" | "BAD_REQUEST" | "CONTACT_ALREADY_EXISTS" | "CONTACT_ERASED" | "CONTACT_NOT_FOUND" | "CURSOR_EXPIRED" | "DELIVERY_NOT_FOUND" | "EMAIL_DOMAIN_NOT_ALLOWED" | "FIELD_ALREADY_EXISTS" | "FIELD_NOT_FOUND" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENT_ANSWER_GONE" | "INTEGRATION_NOT_FOUND" | "INTERNAL_ERROR" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NOT_FOUND" | "OWN_ACCESS" | "PAYLOAD_TOO_LARGE" | "PRECONDITION_FAILED" | "REQUEST_HEADER_FIELDS_TOO_LARGE" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "SYNC_AMBIGUOUS" | "SYNC_NOT_REQUESTED" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "USER_ALREADY_EXISTS" | "USER_NOT_FOUND" | "WEBHOOK_NOT_CONFIGURED" | "WEBHOOK_NOT_FOUND";
                /** @description For people; it may change */
                message: string;
                /** @description With `SYNC_NOT_REQUESTED` and `SYNC_AMBIGUOUS`: the asset's open syncs */
                open_sync_ids?: string[];
            };
        };
        /** @description An asset. */
        Asset: components["schemas"]["AssetSummary"] & {
            html: string;
            /** @description The latest sync for each integration, the newest first. */
            latest_syncs: components["schemas"]["Sync"][];
            text: string;
            /** @description Whether the text was made from the HTML, with which it then changes. */
            text_is_made: boolean;
        };
        AssetChange: {
            /** @description At most 2097152 bytes of UTF-8, kept to the byte */
            html?: string;
            name?: string;
            /** @description For an email alone */
            preheader?: string | null;
            /** @description Required for an email, refused for a landing page */
            subject?: string | null;
            /** @description At most 2097152 bytes of UTF-8; made from the HTML when absent */
            text?: string | null;
            type?: components["schemas"]["AssetType"];
        };
        AssetInput: {
            /** @description At most 2097152 bytes of UTF-8, kept to the byte */
            html: string;
            name: string;
            /** @description For an email alone */
            preheader?: string | null;
            /** @description Required for an email, refused for a landing page */
            subject?: string | null;
            /** @description At most 2097152 bytes of UTF-8; made from the HTML when absent */
            text?: string | null;
            type: components["schemas"]["AssetType"];
        };
        /** @description An asset in a list: without its HTML and text. */
        AssetSummary: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Null for a landing page, and for an email without one. */
            preheader: string | null;
            /** @description Null for a landing page. */
            subject: string | null;
            sync_status: components["schemas"]["SyncStatus"] | null;
            type: components["schemas"]["AssetType"];
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        AssetType: "email" | "landing_page";
        /** @description An attempt at a delivery. */
        Attempt: {
            /** @description The beginning of what the receiver answered: its text, to be shown and never to be rendered. */
            answer: string | null;
            /** Format: int64 */
            duration_ms: number;
            error_class: components["schemas"]["ErrorClass"] | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: int32
             * @description Its place among the attempts, from 1.
             */
            number: number;
            /**
             * Format: int64
             * @description For how many seconds the receiver asked to be left alone.
             */
            retry_after: number | null;
            /** Format: date-time */
            started_at: string;
            /**
             * Format: int32
             * @description Null when there was no answer.
             */
            status_code: number | null;
            trigger: components["schemas"]["AttemptTrigger"];
        };
        /** @enum {string} */
        AttemptTrigger: "scheduled" | "resend" | "recover" | "test";
        /** @enum {string} */
        AuditAction: "contact.deleted" | "contact.erased" | "contact.exported" | "email.unblocked" | "contacts.deleted" | "contacts.restored" | "contacts.updated" | "contacts.exported" | "contacts.imported" | "contacts.upserted" | "view.saved" | "view.deleted" | "field.created" | "field.updated" | "asset.created" | "asset.updated" | "asset.deleted" | "integration.created" | "integration.updated" | "integration.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.secrets_ended" | "webhook.tested" | "webhook.recovered" | "delivery.resent" | "deliveries.resent" | "company.created" | "company.updated" | "company.exported" | "user.created" | "user.updated" | "user.deleted" | "user.invited" | "user.password_changed" | "user.two_step_on" | "user.two_step_off" | "user.two_step_reset" | "user.recovery_codes_renewed" | "passkey.created" | "passkey.updated" | "passkey.deleted" | "passkey.counter_went_back" | "user.alerts_changed" | "api_key.created" | "api_key.revoked" | "session.created" | "session.recovered" | "session.by_passkey" | "session.failed" | "session.created_by_provider" | "session.failed_at_provider" | "user.linked_to_provider" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "session.ended" | "sessions.ended";
        /** @description Who did it. */
        AuditActor: {
            /** @description The address of the client. */
            address: string | null;
            /**
             * Format: uuid
             * @description The API key; null for a person on the pages.
             */
            key: string | null;
            /**
             * Format: uuid
             * @description The user; null for the service itself and its operator.
             */
            user: string | null;
        };
        /** @description An entry of the audit. */
        AuditEntry: {
            action: components["schemas"]["AuditAction"];
            actor: components["schemas"]["AuditActor"];
            /** Format: date-time */
            at: string;
            /** @description How many, of a call on many things. */
            counts: Record<string, never> | null;
            /** @description Unique in the company. */
            id: string;
            /** @description The settings that differ, as they are; of a new thing all of them. Secrets are never among them. */
            new: Record<string, never> | null;
            /**
             * Format: uuid
             * @description What it was done to; null when it was done to many.
             */
            object: string | null;
            /** @description The settings that differ, as they were. */
            old: Record<string, never> | null;
            /** @description The id of the request. */
            request_id: string | null;
        };
        BulkDeleteInput: {
            ids: string[];
        };
        BulkDeleteResult: {
            deleted: number;
        };
        BulkInput: {
            /** @description A row that is not valid fails alone */
            contacts: components["schemas"]["ContactInput"][];
        };
        /** @description What came of a bulk. */
        BulkResult: {
            /**
             * Format: int64
             * @description Rows that created or restored a contact.
             */
            created: number;
            /** @description One entry for each failed row. */
            errors: components["schemas"]["FailedRow"][];
            failed: number;
            /**
             * Format: int64
             * @description Rows that updated a contact, also those that changed nothing.
             */
            updated: number;
        };
        /** @description An entry of the change feed. */
        Change: {
            /**
             * Format: uuid
             * @description The user who made the change; null for the service itself and its operator.
             */
            actor: string | null;
            /** Format: date-time */
            at: string;
            /** @description The names of the properties that differ, and of field values as `field:<key>`; of a new object those that it has. */
            changed: string[];
            /** @description Unique in the company. */
            id: string;
            /**
             * Format: uuid
             * @description The contact, field or sync.
             */
            object_id: string;
            /** @description The id of the request that made it. */
            request_id: string | null;
            type: components["schemas"]["ChangeType"];
        };
        /** @enum {string} */
        ChangeType: "contact.created" | "contact.updated" | "contact.deleted" | "contact.restored" | "contact.erased" | "field.created" | "field.updated" | "sync.requested" | "sync.completed" | "sync.failed";
        /** @description The company. */
        Company: {
            /** @description Domains such as `example.com` or `*.example.com`, in lower-case ASCII; none permits every domain. */
            allowed_domains: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int32
             * @description After how many days deleted contacts are erased; null keeps them.
             */
            erase_deleted_after_days: number | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Whether its users may sign in to the pages with a password. The pages alone change it. */
            password_sign_in: boolean;
            product_access: boolean;
            /** @description Whether its users have to set up two-step verification to use the pages. */
            requires_two_step: boolean;
        };
        CompanyChange: {
            /** @description Domains such as `example.com`, or `*.example.com` for its subdomains; none permits every domain */
            allowed_domains?: string[];
            /** @description After how many days deleted contacts are erased; null keeps them */
            erase_deleted_after_days?: number | null;
            name?: string;
            product_access?: boolean;
            /** @description Whether users have to set up two-step verification to use the pages; keys need none */
            requires_two_step?: boolean;
        };
        /** @description A contact without its values. */
        Contact: {
            /** Format: uri */
            avatar_url: string | null;
            /** Format: date-time */
            created_at: string;
            email: string;
            first_name: string;
            /** Format: uuid */
            id: string;
            last_name: string;
            /** @description The interface shows it as null in every answer. */
            supervisor_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description What is absent stays; at least one of the properties */
        ContactChangeInput: {
            /**
             * Format: uri
             * @description Absolute, http or https. Null clears it; absent in a bulk or a change leaves it.
             */
            avatar_url?: string | null;
            /** Format: idn-email */
            email?: string;
            /** @description Merged into the contact's values; null removes one */
            field_values?: {
                [key: string]: components["schemas"]["ScalarInput"];
            };
            first_name?: string;
            last_name?: string;
        };
        /** @description A contact with its values. */
        ContactDetail: components["schemas"]["Contact"] & {
            field_values: components["schemas"]["FieldValueEntry"][];
        };
        /** @description Texts are trimmed, then measured in code points. */
        ContactInput: {
            /**
             * Format: uri
             * @description Absolute, http or https. Null clears it; absent in a bulk or a change leaves it.
             */
            avatar_url?: string | null;
            /** Format: idn-email */
            email: string;
            /** @description Values by field key, each of its field's type */
            field_values?: {
                [key: string]: components["schemas"]["ScalarInput"];
            } | null;
            first_name: string;
            last_name: string;
        };
        ContactsChangedEvent: {
            /** @description Entries of the change feed, in its order; fewer, or none, after a contact was erased. Those of one object arrive in their order unless a delivery waits to be tried again. */
            changes: components["schemas"]["Change"][];
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            event: "contactsChanged";
            /** Format: uuid */
            id: string;
        };
        /** @description With `page[after]` only `per_page` and `next`, else all but `next` */
        ContactsPageMeta: {
            current_page?: number;
            from?: number;
            /** @description Null with `page[total]=false` */
            last_page?: number | null;
            /** @description The `page[after]` of the next page; null on the page with the last item */
            next?: string | null;
            per_page: number;
            to?: number;
            /** @description Null with `page[total]=false` */
            total?: number | null;
        };
        /** @description The content of an asset in a platform's syntax. */
        Content: {
            html: string;
            /** Format: uuid */
            id: string;
            /** @description What the merge tags in any part stand for, such as `first_name` or `field:jobTitle`, each once. */
            merge_tags: string[];
            name: string;
            platform: components["schemas"]["MergeTagFormat"] | null;
            /** @description Null for a landing page, and for an email without one. */
            preheader: string | null;
            /** @description Null for a landing page. */
            subject: string | null;
            text: string;
            type: components["schemas"]["AssetType"];
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Where a list that is read by cursors goes on. */
        CursorMeta: {
            /** @description The `page[after]` of the next page; null on the page with the last item. */
            next: string | null;
            /** Format: int32 */
            per_page: number;
        };
        /** @description One event on its way to one webhook. */
        Delivery: {
            /**
             * Format: int32
             * @description How many attempts have been made.
             */
            attempt_count: number;
            /** Format: date-time */
            created_at: string;
            /** @description The kind of the event; `test` for one that was sent to try a webhook out. */
            event: string;
            /**
             * Format: uuid
             * @description The same on every attempt; receivers see it as `id` and as `webhook-id`.
             */
            event_id: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it is tried next, while it waits for that.
             */
            next_attempt_at: string | null;
            /** @description Why it was given up. */
            reason: string | null;
            state: components["schemas"]["DeliveryState"];
            /** Format: uuid */
            sync_id: string | null;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: uuid
             * @description The webhook, which may have been deleted since.
             */
            webhook_id: string;
        };
        /** @description A delivery with its payload and attempts. */
        DeliveryDetail: components["schemas"]["Delivery"] & {
            /** @description The first one first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description The text that is sent, byte by byte; null when the webhook was deleted, which erases it. */
            payload: string | null;
        };
        /** @enum {string} */
        DeliveryState: "pending" | "in_progress" | "retrying" | "succeeded" | "exhausted" | "cancelled" | "skipped";
        /** @enum {string} */
        DisabledReason: "by_hand" | "gone" | "failing";
        ErasureInput: {
            /** @description Whether no contact may have the email from now on */
            block?: boolean;
        };
        /** @enum {string} */
        ErrorClass: "dns" | "blocked_address" | "connect" | "tls" | "timeout" | "http" | "too_large" | "internal";
        /** @enum {string} */
        EventName: "syncRequested" | "contactsChanged" | "fieldsChanged" | "syncsChanged" | "alertRaised";
        /** @description All that is known of one person. */
        Everything: {
            /** @description What was done to it by whom, the oldest one first. */
            audit: components["schemas"]["AuditEntry"][];
            /** @description The oldest one first. */
            changes: components["schemas"]["Change"][];
            contact: components["schemas"]["ContactDetail"];
            /** @description The oldest one first. */
            deliveries: components["schemas"]["Delivery"][];
        };
        ExportedContact: components["schemas"]["ContactDetail"] & {
            /** @description The `page[after]` with which an export goes on */
            _cursor: string;
        };
        /** @description A row of a bulk that failed. */
        FailedRow: {
            /** @description Messages by the dotted path of the field, from the row. */
            details: {
                [key: string]: string[];
            };
            /** @description As submitted; null when it was no text. */
            email: string | null;
            /** @description The place of the row in the request, from 0. */
            index: number;
        };
        /** @description A field. */
        Field: {
            /** @description Whether it takes no new values. */
            archived: boolean;
            /** Format: uuid */
            directory_id: string;
            /** @description Whether contacts can be filtered and sorted by it. */
            filterable: components["schemas"]["Filterable"];
            /** Format: uuid */
            id: string;
            key: string;
            name: string;
            type: components["schemas"]["FieldType"];
        };
        FieldChange: {
            /** @description Whether the field takes no new values */
            archived?: boolean;
            /** @description Whether contacts can be filtered and sorted by the field; its values are then indexed, which an answer shows as `building` and `yes` */
            filterable?: boolean;
            /** @description The display name; the key stays */
            name?: string;
        };
        FieldInput: {
            /** @description Whether contacts can be filtered and sorted by the field; its values are then indexed, which an answer shows as `building` and `yes` */
            filterable?: boolean | null;
            /** @description Trimmed, then measured; the key is derived from its letters and digits, so it has at least one */
            name: string;
            type: components["schemas"]["FieldType"];
        };
        /** @enum {string} */
        FieldType: "string" | "number" | "date" | "datetime" | "boolean";
        /** @description A value with its field. */
        FieldValueEntry: {
            /** Format: uuid */
            field_id: string;
            key: string;
            name: string;
            type: components["schemas"]["FieldType"];
            /** @description A scalar of the field's type. */
            value: components["schemas"]["Scalar"];
        };
        FieldValuesInput: {
            /** @description What the contact has afterwards; a null entry is left out */
            field_values: {
                [key: string]: components["schemas"]["ScalarInput"];
            };
        };
        FieldsChangedEvent: {
            /** @description Entries of the change feed, in its order; fewer, or none, after a contact was erased. Those of one object arrive in their order unless a delivery waits to be tried again. */
            changes: components["schemas"]["Change"][];
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            event: "fieldsChanged";
            /** Format: uuid */
            id: string;
        };
        /** @enum {string} */
        Filterable: "no" | "building" | "yes";
        /** @description An integration. */
        Integration: {
            asset_types: components["schemas"]["AssetType"][];
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            merge_tag_format: components["schemas"]["MergeTagFormat"];
            /** @description The company's own texts by merge tag; empty when there are none. */
            merge_tag_mapping: {
                [key: string]: string;
            };
            name: string;
            /** Format: date-time */
            updated_at: string;
        };
        IntegrationChange: {
            asset_types?: components["schemas"]["AssetType"][];
            merge_tag_format?: components["schemas"]["MergeTagFormat"];
            /** @description The company's own texts by merge tag, such as `first_name` or `field:jobTitle`; they win over the built-in conversion */
            merge_tag_mapping?: {
                [key: string]: string;
            } | null;
            name?: string;
        };
        IntegrationInput: {
            asset_types: components["schemas"]["AssetType"][];
            merge_tag_format: components["schemas"]["MergeTagFormat"];
            /** @description The company's own texts by merge tag, such as `first_name` or `field:jobTitle`; they win over the built-in conversion */
            merge_tag_mapping?: {
                [key: string]: string;
            } | null;
            name: string;
        };
        ListedContact: components["schemas"]["Contact"] & {
            /** @description Only with `include=field_values` */
            field_values?: components["schemas"]["FieldValueEntry"][];
        };
        /** @description Exactly one of the two */
        LookupInput: {
            emails?: string[];
            ids?: string[];
        };
        LookupMeta: {
            missing: string[];
        };
        /** @enum {string} */
        MergeTagFormat: "marketo" | "eloqua" | "hubspot" | "pardot" | "sfmc" | "mailchimp" | "braze" | "klaviyo" | "iterable" | "responsys" | "adobe_campaign" | "customerio" | "activecampaign" | "sendgrid" | "adobe_journey_optimizer" | "acoustic" | "liquid" | "handlebars";
        /** @description Where a feed continues. */
        Next: {
            /** @description The cursor of the next call. */
            next: string;
        };
        /** @description The place of a page in its list. */
        PageMeta: {
            /** Format: int64 */
            current_page: number;
            /**
             * Format: int64
             * @description The place of the page's first item in the whole list, from 1; 0 when the page is empty.
             */
            from: number;
            /** Format: int64 */
            last_page: number;
            /** Format: int32 */
            per_page: number;
            /**
             * Format: int64
             * @description The place of its last item; 0 when the page is empty.
             */
            to: number;
            /** Format: int64 */
            total: number;
        };
        /** @enum {string} */
        Permission: "contacts_api" | "download_email" | "manage_integrations" | "publish" | "manage_access";
        RateLimitError: {
            message: string;
            /** @enum {string} */
            type: "rate_limit_exceeded";
        };
        /** @description The result of a recovery. */
        Recovery: {
            /**
             * Format: int64
             * @description How many deliveries had failed or were skipped since then.
             */
            recovered: number;
        };
        RecoveryInput: {
            /** Format: date-time */
            since: string;
            /** Format: uuid */
            webhook_id: string;
        };
        RotationInput: {
            /**
             * @description How long the old secret stays valid; 0 ends it at once
             * @default 86400
             */
            grace_seconds: number | null;
            /** @description A text of one's own choice, at least 16 characters; a generated one when there is none */
            secret?: string | null;
        };
        /** @description A value of the field's type; a number with every digit that was sent */
        Scalar: string | number | boolean;
        /** @description Of the field's type, nothing is coerced: `string` a string, `number` a number, `boolean` true or false, `date` a string `YYYY-MM-DD`, `datetime` an RFC 3339 string with an offset. Null leaves the field without a value. */
        ScalarInput: string | number | boolean | null;
        /** @description A sync of an asset to an integration. */
        Sync: {
            /** Format: uuid */
            asset_id: string;
            /** @description Why the sync failed; also that a newer request took its place, or that its integration was deleted. */
            error_message: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            integration_id: string;
            /** @description The platform's own id for the asset, once the sync is completed. */
            map_id: string | null;
            /**
             * Format: uri
             * @description Where the platform shows the asset, once the sync is completed.
             */
            map_url: string | null;
            /**
             * Format: date-time
             * @description Null until its result is reported.
             */
            reported_at: string | null;
            /** Format: date-time */
            requested_at: string;
            /** @description The email of the user who asked for it. */
            requested_by: string | null;
            status: components["schemas"]["SyncStatus"];
        };
        SyncInput: {
            /** Format: uuid */
            integration_id: string;
        };
        SyncReport: {
            /** @description Required when failed */
            error_message?: string | null;
            /** @description Required when completed: the platform's own id for the asset */
            map_id?: string | null;
            /**
             * Format: uri
             * @description Required when completed: absolute, http or https
             */
            map_url?: string | null;
            /** @enum {string} */
            status: "completed" | "failed";
            /**
             * Format: uuid
             * @description Needed when several syncs are open
             */
            sync_id?: string | null;
        };
        SyncRequestedEvent: {
            /** Format: uuid */
            asset_id: string;
            asset_name: string;
            asset_type: components["schemas"]["AssetType"];
            /**
             * Format: uri
             * @description The content in the integration's format; GET it with an API key
             */
            content_link: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            event: "syncRequested";
            /**
             * Format: uuid
             * @description The event's; the same on every attempt
             */
            id: string;
            /** Format: uuid */
            integration_id: string;
            integration_name: string;
            /** @description What the last completed sync reported */
            map_id: string | null;
            /** Format: uri */
            map_url: string | null;
            platform: components["schemas"]["MergeTagFormat"];
            /** @description The email of the user who asked for it */
            requested_by: string | null;
            /** Format: uuid */
            sync_id: string;
            /**
             * Format: uri
             * @description PATCH the result there, with an API key
             */
            sync_status_link: string;
            /**
             * @description `resync` when a sync of the asset to the integration was completed before
             * @enum {string}
             */
            sync_type: "sync" | "resync";
        };
        /** @enum {string} */
        SyncStatus: "sync_requested" | "completed" | "failed";
        SyncsChangedEvent: {
            /** @description Entries of the change feed, in its order; fewer, or none, after a contact was erased. Those of one object arrive in their order unless a delivery waits to be tried again. */
            changes: components["schemas"]["Change"][];
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            event: "syncsChanged";
            /** Format: uuid */
            id: string;
        };
        /** @description The attempt of a test. */
        TestAttempt: components["schemas"]["Attempt"] & {
            /**
             * Format: uuid
             * @description The delivery under which the attempt can be seen.
             */
            delivery_id: string;
            /** Format: uuid */
            event_id: string;
        };
        TestEvent: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            event: "test";
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhook_id: string;
        };
        UnblockInput: {
            /** Format: idn-email */
            email: string;
        };
        /** @description A user. */
        User: {
            /** Format: date-time */
            created_at: string;
            /** Format: idn-email */
            email: string;
            /** Format: uuid */
            id: string;
            permissions: components["schemas"]["Permission"][];
        };
        UserChange: {
            /** Format: idn-email */
            email?: string;
            /** @description One given twice counts once */
            permissions?: components["schemas"]["Permission"][];
        };
        UserInput: {
            /** Format: idn-email */
            email: string;
            /** @description One given twice counts once */
            permissions?: components["schemas"]["Permission"][] | null;
        };
        ValidationErrors: {
            /** Format: date-time */
            error_at: string;
            errors: {
                details: string;
                /** @enum {string} */
                identifier: "ValidationError";
                /** @description Messages by the dotted path of the field */
                meta: {
                    [key: string]: string[];
                };
            }[];
        };
        /** @description A webhook. Its secret is not shown. */
        Webhook: {
            /** Format: date-time */
            created_at: string;
            disabled_reason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            events: components["schemas"]["EventName"][];
            /**
             * Format: int32
             * @description How many attempts have failed since then.
             */
            failed_attempts: number;
            /**
             * Format: date-time
             * @description The first failed attempt since the last success, or since it was switched on.
             */
            failing_since: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description Until when a secret from before a rotation is valid too.
             */
            previous_secret_valid_until: string | null;
            /** Format: date-time */
            updated_at: string;
            /** Format: uri */
            url: string;
            /** @description True when it is soon switched off, because nothing succeeds. */
            warning: boolean;
        };
        WebhookChange: {
            enabled?: boolean;
            events?: components["schemas"]["EventName"][];
            name?: string;
            /** @description A text of one's own choice, at least 16 characters; a generated one when there is none */
            secret?: string;
            /**
             * Format: uri
             * @description https, without user name and password, and not to a private or otherwise special address, unless the operator allows it
             */
            url?: string;
        };
        WebhookInput: {
            enabled?: boolean | null;
            events: components["schemas"]["EventName"][];
            name: string;
            /** @description A text of one's own choice, at least 16 characters; a generated one when there is none */
            secret?: string | null;
            /**
             * Format: uri
             * @description https, without user name and password, and not to a private or otherwise special address, unless the operator allows it
             */
            url: string;
        };
        WebhookMaybeWithSecret: components["schemas"]["Webhook"] & {
            secret?: string;
            whsec_secret?: string;
        };
        /** @description A webhook with a new secret, which is shown this once. */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description The secret as it was entered or generated; its UTF-8 bytes are the key of `Service-Signature`. */
            secret: string;
            /** @description The same secret in the form that libraries of the Standard Webhooks specification take. */
            whsec_secret: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAssets: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *           "name": "Spring sale",
                     *           "type": "email",
                     *           "subject": "Spring is here",
                     *           "preheader": "Up to half off",
                     *           "sync_status": "sync_requested",
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AssetSummary"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 4194304 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "type": "email",
                 *       "html": "<p>Hello {{first_name|there}}</p>",
                 *       "subject": "Spring is here",
                 *       "preheader": "Up to half off"
                 *     }
                 */
                "application/json": components["schemas"]["AssetInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "name": "Spring sale",
                     *         "type": "email",
                     *         "subject": "Spring is here",
                     *         "preheader": "Up to half off",
                     *         "sync_status": "sync_requested",
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "html": "<p>Hello {{first_name|there}}</p>",
                     *         "text": "Hello {{first_name|there}}",
                     *         "text_is_made": true,
                     *         "latest_syncs": [
                     *           {
                     *             "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *             "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *             "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *             "status": "sync_requested",
                     *             "map_id": null,
                     *             "map_url": null,
                     *             "error_message": null,
                     *             "requested_by": "ann@example.com",
                     *             "requested_at": "2026-11-20T09:30:00+00:00",
                     *             "reported_at": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Asset"];
                    };
                };
            };
        };
    };
    readAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "name": "Spring sale",
                     *         "type": "email",
                     *         "subject": "Spring is here",
                     *         "preheader": "Up to half off",
                     *         "sync_status": "sync_requested",
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "html": "<p>Hello {{first_name|there}}</p>",
                     *         "text": "Hello {{first_name|there}}",
                     *         "text_is_made": true,
                     *         "latest_syncs": [
                     *           {
                     *             "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *             "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *             "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *             "status": "sync_requested",
                     *             "map_id": null,
                     *             "map_url": null,
                     *             "error_message": null,
                     *             "requested_by": "ann@example.com",
                     *             "requested_at": "2026-11-20T09:30:00+00:00",
                     *             "reported_at": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Asset"];
                    };
                };
            };
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 4194304 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Spring is over",
                 *       "preheader": null
                 *     }
                 */
                "application/json": components["schemas"]["AssetChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "name": "Spring sale",
                     *         "type": "email",
                     *         "subject": "Spring is here",
                     *         "preheader": "Up to half off",
                     *         "sync_status": "sync_requested",
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "html": "<p>Hello {{first_name|there}}</p>",
                     *         "text": "Hello {{first_name|there}}",
                     *         "text_is_made": true,
                     *         "latest_syncs": [
                     *           {
                     *             "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *             "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *             "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *             "status": "sync_requested",
                     *             "map_id": null,
                     *             "map_url": null,
                     *             "error_message": null,
                     *             "requested_by": "ann@example.com",
                     *             "requested_at": "2026-11-20T09:30:00+00:00",
                     *             "reported_at": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Asset"];
                    };
                };
            };
        };
    };
    listSyncs: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *           "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *           "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *           "status": "sync_requested",
                     *           "map_id": null,
                     *           "map_url": null,
                     *           "error_message": null,
                     *           "requested_by": "ann@example.com",
                     *           "requested_at": "2026-11-20T09:30:00+00:00",
                     *           "reported_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Sync"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    requestSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "integration_id": "01931e3a-7c00-7000-8000-0000000000b1"
                 *     }
                 */
                "application/json": components["schemas"]["SyncInput"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *         "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *         "status": "sync_requested",
                     *         "map_id": null,
                     *         "map_url": null,
                     *         "error_message": null,
                     *         "requested_by": "ann@example.com",
                     *         "requested_at": "2026-11-20T09:30:00+00:00",
                     *         "reported_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Sync"];
                    };
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Only what this user did */
                "filter[actor]"?: string;
                /** @description Only this action */
                "filter[action]"?: "contact.deleted" | "contact.erased" | "contact.exported" | "email.unblocked" | "contacts.deleted" | "contacts.restored" | "contacts.updated" | "contacts.exported" | "contacts.imported" | "contacts.upserted" | "view.saved" | "view.deleted" | "field.created" | "field.updated" | "asset.created" | "asset.updated" | "asset.deleted" | "integration.created" | "integration.updated" | "integration.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.secrets_ended" | "webhook.tested" | "webhook.recovered" | "delivery.resent" | "deliveries.resent" | "company.created" | "company.updated" | "company.exported" | "user.created" | "user.updated" | "user.deleted" | "user.invited" | "user.password_changed" | "user.two_step_on" | "user.two_step_off" | "user.two_step_reset" | "user.recovery_codes_renewed" | "passkey.created" | "passkey.updated" | "passkey.deleted" | "passkey.counter_went_back" | "user.alerts_changed" | "api_key.created" | "api_key.revoked" | "session.created" | "session.recovered" | "session.by_passkey" | "session.failed" | "session.created_by_provider" | "session.failed_at_provider" | "user.linked_to_provider" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "session.ended" | "sessions.ended";
                /** @description Only what was done to this */
                "filter[object]"?: string;
                /** @description Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty */
                "filter[at][between]"?: string;
                /** @description Only entries after this cursor, `meta.next` of the page before */
                "page[after]"?: string;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest entries first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "AAAAAAAAAAcAAAAAyfUafw",
                     *           "at": "2026-11-20T09:30:00+00:00",
                     *           "action": "user.updated",
                     *           "object": "01931e3a-7c00-7000-8000-0000000000d2",
                     *           "actor": {
                     *             "user": "01931e3a-7c00-7000-8000-0000000000d1",
                     *             "key": "01931e3a-7c00-7000-8000-0000000000f1",
                     *             "address": "203.0.113.9"
                     *           },
                     *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *           "counts": null,
                     *           "old": {
                     *             "permissions": [
                     *               "contacts_api"
                     *             ]
                     *           },
                     *           "new": {
                     *             "permissions": [
                     *               "contacts_api",
                     *               "publish"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "per_page": 25,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Only entries after this cursor, `meta.next` of an earlier answer; `latest` for entries after the latest one; without it from the oldest that is kept */
                after?: string;
                /** @description Only entries of these types */
                "type[]"?: ("contact.created" | "contact.updated" | "contact.deleted" | "contact.restored" | "contact.erased" | "field.created" | "field.updated" | "sync.requested" | "sync.completed" | "sync.failed")[];
                /** @description How many entries at most */
                "page[size]"?: number;
                /** @description When there is no entry yet, how many seconds the call is held until there is one */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Entries in their order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "AAAAAAAAAAcAAAAAyfUafw",
                     *           "type": "contact.updated",
                     *           "at": "2026-11-20T09:30:00+00:00",
                     *           "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *           "changed": [
                     *             "last_name",
                     *             "field:jobTitle"
                     *           ],
                     *           "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                     *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "next": "AAAAAAAAAAcAAAAAyfUafw"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Change"][];
                        meta: components["schemas"]["Next"];
                    };
                };
            };
        };
    };
    readCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000003",
                     *         "name": "Example Inc.",
                     *         "product_access": true,
                     *         "allowed_domains": [
                     *           "*.example.com",
                     *           "example.com"
                     *         ],
                     *         "erase_deleted_after_days": null,
                     *         "requires_two_step": false,
                     *         "password_sign_in": true,
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
        };
    };
    changeCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "allowed_domains": [
                 *         "example.com",
                 *         "*.example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CompanyChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000003",
                     *         "name": "Example Inc.",
                     *         "product_access": true,
                     *         "allowed_domains": [
                     *           "*.example.com",
                     *           "example.com"
                     *         ],
                     *         "erase_deleted_after_days": null,
                     *         "requires_two_step": false,
                     *         "password_sign_in": true,
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "block": true
                 *     }
                 */
                "application/json": components["schemas"]["ErasureInput"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readEverything: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "contact": {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *           "first_name": "Ann",
                     *           "last_name": "Lee",
                     *           "email": "ann@example.com",
                     *           "avatar_url": "https://example.com/ann.png",
                     *           "supervisor_id": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00",
                     *           "field_values": [
                     *             {
                     *               "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *               "key": "jobTitle",
                     *               "name": "Job Title",
                     *               "type": "string",
                     *               "value": "Head of Sales"
                     *             }
                     *           ]
                     *         },
                     *         "changes": [
                     *           {
                     *             "id": "AAAAAAAAAAcAAAAAyfUafw",
                     *             "type": "contact.updated",
                     *             "at": "2026-11-20T09:30:00+00:00",
                     *             "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *             "changed": [
                     *               "last_name",
                     *               "field:jobTitle"
                     *             ],
                     *             "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                     *             "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                     *           }
                     *         ],
                     *         "deliveries": [
                     *           {
                     *             "id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *             "event_id": "01931e3a-7c00-7000-8000-0000000000f1",
                     *             "event": "syncRequested",
                     *             "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *             "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *             "state": "retrying",
                     *             "attempt_count": 1,
                     *             "next_attempt_at": "2026-11-20T09:30:05+00:00",
                     *             "reason": null,
                     *             "created_at": "2026-11-20T09:30:00+00:00",
                     *             "updated_at": "2026-11-20T09:30:00+00:00"
                     *           }
                     *         ],
                     *         "audit": [
                     *           {
                     *             "id": "AAAAAAAAAAcAAAAAyfUafw",
                     *             "at": "2026-11-20T09:30:00+00:00",
                     *             "action": "user.updated",
                     *             "object": "01931e3a-7c00-7000-8000-0000000000d2",
                     *             "actor": {
                     *               "user": "01931e3a-7c00-7000-8000-0000000000d1",
                     *               "key": "01931e3a-7c00-7000-8000-0000000000f1",
                     *               "address": "203.0.113.9"
                     *             },
                     *             "request_id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *             "counts": null,
                     *             "old": {
                     *               "permissions": [
                     *                 "contacts_api"
                     *               ]
                     *             },
                     *             "new": {
                     *               "permissions": [
                     *                 "contacts_api",
                     *                 "publish"
                     *               ]
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Everything"];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
                /** @description Only those to this webhook; `webhook_id` alone means the same */
                "filter[webhook_id]"?: string;
                /** @description Only those about this sync; `sync_id` alone means the same */
                "filter[sync_id]"?: string;
                /** @description Only those in this state; `state` alone means the same */
                "filter[state]"?: "pending" | "in_progress" | "retrying" | "succeeded" | "exhausted" | "cancelled" | "skipped";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *           "event_id": "01931e3a-7c00-7000-8000-0000000000f1",
                     *           "event": "syncRequested",
                     *           "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *           "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *           "state": "retrying",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": "2026-11-20T09:30:05+00:00",
                     *           "reason": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1",
                 *       "since": "2026-11-20T09:30:00+00:00"
                 *     }
                 */
                "application/json": components["schemas"]["RecoveryInput"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "recovered": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Recovery"];
                    };
                };
            };
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *         "event_id": "01931e3a-7c00-7000-8000-0000000000f1",
                     *         "event": "syncRequested",
                     *         "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *         "state": "retrying",
                     *         "attempt_count": 1,
                     *         "next_attempt_at": "2026-11-20T09:30:05+00:00",
                     *         "reason": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "payload": "{\"event\":\"syncRequested\"}",
                     *         "attempts": [
                     *           {
                     *             "id": "01931e3a-7c00-7000-8000-0000000000aa",
                     *             "number": 1,
                     *             "trigger": "scheduled",
                     *             "started_at": "2026-11-20T09:30:00+00:00",
                     *             "duration_ms": 120,
                     *             "status_code": 503,
                     *             "error_class": null,
                     *             "retry_after": 5,
                     *             "answer": "busy"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeliveryDetail"];
                    };
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *         "event_id": "01931e3a-7c00-7000-8000-0000000000f1",
                     *         "event": "syncRequested",
                     *         "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *         "state": "retrying",
                     *         "attempt_count": 1,
                     *         "next_attempt_at": "2026-11-20T09:30:05+00:00",
                     *         "reason": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    unblockEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["UnblockInput"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *           "name": "Our platform",
                     *           "asset_types": [
                     *             "email",
                     *             "landing_page"
                     *           ],
                     *           "merge_tag_format": "liquid",
                     *           "merge_tag_mapping": {
                     *             "field:jobTitle": "{{ person.title }}"
                     *           },
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Our platform",
                 *       "asset_types": [
                 *         "email",
                 *         "landing_page"
                 *       ],
                 *       "merge_tag_format": "liquid",
                 *       "merge_tag_mapping": {
                 *         "field:jobTitle": "{{ person.title }}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *         "name": "Our platform",
                     *         "asset_types": [
                     *           "email",
                     *           "landing_page"
                     *         ],
                     *         "merge_tag_format": "liquid",
                     *         "merge_tag_mapping": {
                     *           "field:jobTitle": "{{ person.title }}"
                     *         },
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    readIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an integration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *         "name": "Our platform",
                     *         "asset_types": [
                     *           "email",
                     *           "landing_page"
                     *         ],
                     *         "merge_tag_format": "liquid",
                     *         "merge_tag_mapping": {
                     *           "field:jobTitle": "{{ person.title }}"
                     *         },
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an integration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an integration */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "merge_tag_format": "handlebars"
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *         "name": "Our platform",
                     *         "asset_types": [
                     *           "email",
                     *           "landing_page"
                     *         ],
                     *         "merge_tag_format": "liquid",
                     *         "merge_tag_mapping": {
                     *           "field:jobTitle": "{{ person.title }}"
                     *         },
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-000000000002",
                     *           "email": "importer@example.com",
                     *           "permissions": [
                     *             "contacts_api",
                     *             "download_email"
                     *           ],
                     *           "created_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "importer@example.com",
                 *       "permissions": [
                 *         "contacts_api",
                 *         "download_email"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000002",
                     *         "email": "importer@example.com",
                     *         "permissions": [
                     *           "contacts_api",
                     *           "download_email"
                     *         ],
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000002",
                     *         "email": "importer@example.com",
                     *         "permissions": [
                     *           "contacts_api",
                     *           "download_email"
                     *         ],
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a user */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "permissions": [
                 *         "contacts_api"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000002",
                     *         "email": "importer@example.com",
                     *         "permissions": [
                     *           "contacts_api",
                     *           "download_email"
                     *         ],
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description The id of a user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-000000000001",
                     *           "name": "Importer",
                     *           "start": "hub_0aB1",
                     *           "expires_at": "2099-01-01T00:00:00+00:00",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a user */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Importer",
                 *       "expires_at": "2099-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000001",
                     *         "name": "Importer",
                     *         "start": "hub_0aB1",
                     *         "expires_at": "2099-01-01T00:00:00+00:00",
                     *         "last_used_at": null,
                     *         "revoked_at": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "token": "hub_…"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithToken"];
                    };
                };
            };
        };
    };
    readApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user */
                id: string;
                /** @description The id of one of the user's keys */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-000000000001",
                     *         "name": "Importer",
                     *         "start": "hub_0aB1",
                     *         "expires_at": "2099-01-01T00:00:00+00:00",
                     *         "last_used_at": null,
                     *         "revoked_at": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user */
                id: string;
                /** @description The id of one of the user's keys */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *           "name": "Our platform",
                     *           "url": "https://platform.example/hooks/contact-hub",
                     *           "events": [
                     *             "syncRequested"
                     *           ],
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "warning": false,
                     *           "failing_since": null,
                     *           "failed_attempts": 0,
                     *           "previous_secret_valid_until": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Our platform",
                 *       "url": "https://platform.example/hooks/contact-hub",
                 *       "events": [
                 *         "syncRequested"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "name": "Our platform",
                     *         "url": "https://platform.example/hooks/contact-hub",
                     *         "events": [
                     *           "syncRequested"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "warning": false,
                     *         "failing_since": null,
                     *         "failed_attempts": 0,
                     *         "previous_secret_valid_until": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "secret": "correct horse battery",
                     *         "whsec_secret": "whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "name": "Our platform",
                     *         "url": "https://platform.example/hooks/contact-hub",
                     *         "events": [
                     *           "syncRequested"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "warning": false,
                     *         "failing_since": null,
                     *         "failed_attempts": 0,
                     *         "previous_secret_valid_until": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "name": "Our platform",
                     *         "url": "https://platform.example/hooks/contact-hub",
                     *         "events": [
                     *           "syncRequested"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "warning": false,
                     *         "failing_since": null,
                     *         "failed_attempts": 0,
                     *         "previous_secret_valid_until": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookMaybeWithSecret"];
                    };
                };
            };
        };
    };
    endPreviousSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotationInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000d1",
                     *         "name": "Our platform",
                     *         "url": "https://platform.example/hooks/contact-hub",
                     *         "events": [
                     *           "syncRequested"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_reason": null,
                     *         "warning": false,
                     *         "failing_since": null,
                     *         "failed_attempts": 0,
                     *         "previous_secret_valid_until": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "secret": "correct horse battery",
                     *         "whsec_secret": "whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000aa",
                     *         "number": 1,
                     *         "trigger": "test",
                     *         "started_at": "2026-11-20T09:30:00+00:00",
                     *         "duration_ms": 120,
                     *         "status_code": 503,
                     *         "error_class": null,
                     *         "retry_after": 5,
                     *         "answer": "busy",
                     *         "delivery_id": "01931e3a-7c00-7000-8000-0000000000e1",
                     *         "event_id": "01931e3a-7c00-7000-8000-0000000000f1"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TestAttempt"];
                    };
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
                /** @description Reads the list by cursors: empty for the beginning, else `meta.next` of the page before, with the same filters, sorts and search; not beside `page[number]` */
                "page[after]"?: string;
                /** @description Whether contacts are counted; without it a full page may be followed by another one */
                "page[total]"?: "true" | "false";
                /** @description `field_values` adds its values to each contact */
                include?: "field_values";
                /** @description `email`, `first_name`, `last_name`, `created_at`, or `field:` with the key of a filterable field; a leading `-` means descending. By default `created_at`. Contacts without a value of the field are last in both directions. */
                "sort[]"?: string[];
                /** @description At most 8 terms, separated by white space; each matches the email, first or last name, without regard to case: a term of 3 characters or more anywhere in it, a shorter one at its beginning */
                search?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[email][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[email][operator]` and `filter[email][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[email]"?: string;
                /** @description How `filter[email][value]` is compared; neither is valid alone */
                "filter[email][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[email][operator]` compares with */
                "filter[email][value]"?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[first_name][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[first_name][operator]` and `filter[first_name][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[first_name]"?: string;
                /** @description How `filter[first_name][value]` is compared; neither is valid alone */
                "filter[first_name][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[first_name][operator]` compares with */
                "filter[first_name][value]"?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[last_name][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[last_name][operator]` and `filter[last_name][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[last_name]"?: string;
                /** @description How `filter[last_name][value]` is compared; neither is valid alone */
                "filter[last_name][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[last_name][operator]` compares with */
                "filter[last_name][value]"?: string;
                /** @description Later than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[created_at][gt]"?: string;
                /** @description Earlier than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[created_at][lt]"?: string;
                /** @description Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty. A date covers its day in UTC. */
                "filter[created_at][between]"?: string;
                /** @description How `filter[created_at][value]` is compared; neither is valid alone */
                "filter[created_at][operator]"?: ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[created_at][operator]` compares with */
                "filter[created_at][value]"?: string;
                /** @description Later than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[updated_at][gt]"?: string;
                /** @description Earlier than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[updated_at][lt]"?: string;
                /** @description Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty. A date covers its day in UTC. */
                "filter[updated_at][between]"?: string;
                /** @description How `filter[updated_at][value]` is compared; neither is valid alone */
                "filter[updated_at][operator]"?: ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[updated_at][operator]` compares with */
                "filter[updated_at][value]"?: string;
                /** @description Conditions on filterable fields, by their keys: `filter[field:jobTitle]=…`, or with an operator, `filter[field:age][gte]=18`, or as a pair, as for names. Every type has equality and `exists` (`true` or `false`), a string also `startsWith` and `contains`, without regard to case, and a number, date or datetime `lt`, `lte`, `gt`, `gte` and `between`. Datetimes compare as instants. */
                filter?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *           "first_name": "Ann",
                     *           "last_name": "Lee",
                     *           "email": "ann@example.com",
                     *           "avatar_url": "https://example.com/ann.png",
                     *           "supervisor_id": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedContact"][];
                        meta: components["schemas"]["ContactsPageMeta"];
                    };
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "first_name": "Ann",
                 *       "last_name": "Lee",
                 *       "avatar_url": "https://example.com/ann.png",
                 *       "field_values": {
                 *         "jobTitle": "Head of Sales"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *         "first_name": "Ann",
                     *         "last_name": "Lee",
                     *         "email": "ann@example.com",
                     *         "avatar_url": "https://example.com/ann.png",
                     *         "supervisor_id": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
        };
    };
    upsertContacts: {
        parameters: {
            query?: {
                /** @description `true` answers with what would be created, updated and refused, and writes nothing */
                dry_run?: "true" | "false";
            };
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 16777216 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contacts": [
                 *         {
                 *           "email": "ann@example.com",
                 *           "first_name": "Ann",
                 *           "last_name": "Lee"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "created": 1,
                     *         "updated": 0,
                     *         "failed": 1,
                     *         "errors": [
                     *           {
                     *             "index": 1,
                     *             "email": "bob@example",
                     *             "details": {
                     *               "email": [
                     *                 "must be a valid email address"
                     *               ]
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BulkResult"];
                    };
                };
            };
        };
    };
    deleteContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 16777216 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "01931e3a-7c00-7000-8000-0000000000ab"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkDeleteInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BulkDeleteResult"];
                    };
                };
            };
        };
    };
    deleteContactsByPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 16777216 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "01931e3a-7c00-7000-8000-0000000000ab"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkDeleteInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BulkDeleteResult"];
                    };
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description The `_cursor` of a line; the export goes on after it */
                "page[after]"?: string;
                /** @description `email`, `first_name`, `last_name`, `created_at`, or `field:` with the key of a filterable field; a leading `-` means descending. By default `created_at`. Contacts without a value of the field are last in both directions. */
                "sort[]"?: string[];
                /** @description At most 8 terms, separated by white space; each matches the email, first or last name, without regard to case: a term of 3 characters or more anywhere in it, a shorter one at its beginning */
                search?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[email][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[email][operator]` and `filter[email][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[email]"?: string;
                /** @description How `filter[email][value]` is compared; neither is valid alone */
                "filter[email][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[email][operator]` compares with */
                "filter[email][value]"?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[first_name][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[first_name][operator]` and `filter[first_name][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[first_name]"?: string;
                /** @description How `filter[first_name][value]` is compared; neither is valid alone */
                "filter[first_name][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[first_name][operator]` compares with */
                "filter[first_name][value]"?: string;
                /** @description Equality without regard to case. Other comparisons: `filter[last_name][startsWith]=…`, with one of the operators `=`, `eq`, `!=`, `ne`, `startsWith`, `contains`, `notContains`, `>`, `gt`, `<`, `lt`, `between`, or as a pair, `filter[last_name][operator]` and `filter[last_name][value]`. `between` has two ends, joined by a comma (`\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most 16. */
                "filter[last_name]"?: string;
                /** @description How `filter[last_name][value]` is compared; neither is valid alone */
                "filter[last_name][operator]"?: "=" | "eq" | "!=" | "ne" | "startsWith" | "contains" | "notContains" | ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[last_name][operator]` compares with */
                "filter[last_name][value]"?: string;
                /** @description Later than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[created_at][gt]"?: string;
                /** @description Earlier than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[created_at][lt]"?: string;
                /** @description Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty. A date covers its day in UTC. */
                "filter[created_at][between]"?: string;
                /** @description How `filter[created_at][value]` is compared; neither is valid alone */
                "filter[created_at][operator]"?: ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[created_at][operator]` compares with */
                "filter[created_at][value]"?: string;
                /** @description Later than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[updated_at][gt]"?: string;
                /** @description Earlier than a date or RFC 3339 timestamp. A date covers its day in UTC. */
                "filter[updated_at][lt]"?: string;
                /** @description Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty. A date covers its day in UTC. */
                "filter[updated_at][between]"?: string;
                /** @description How `filter[updated_at][value]` is compared; neither is valid alone */
                "filter[updated_at][operator]"?: ">" | "gt" | "<" | "lt" | "between";
                /** @description What `filter[updated_at][operator]` compares with */
                "filter[updated_at][value]"?: string;
                /** @description Conditions on filterable fields, by their keys: `filter[field:jobTitle]=…`, or with an operator, `filter[field:age][gte]=18`, or as a pair, as for names. Every type has equality and `exists` (`true` or `false`), a string also `startsWith` and `contains`, without regard to case, and a number, date or datetime `lt`, `lte`, `gt`, `gte` and `between`. Datetimes compare as instants. */
                filter?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, one on each line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *       "first_name": "Ann",
                     *       "last_name": "Lee",
                     *       "email": "ann@example.com",
                     *       "avatar_url": "https://example.com/ann.png",
                     *       "supervisor_id": null,
                     *       "created_at": "2026-11-20T09:30:00+00:00",
                     *       "updated_at": "2026-11-20T09:30:00+00:00",
                     *       "field_values": [
                     *         {
                     *           "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *           "key": "jobTitle",
                     *           "name": "Job Title",
                     *           "type": "string",
                     *           "value": "Head of Sales"
                     *         }
                     *       ],
                     *       "_cursor": "hPkyk3YR2hNbMTc2NzIyNTYwMDAwMDAwMCwi"
                     *     }
                     */
                    "application/x-ndjson": components["schemas"]["ExportedContact"];
                    /** @example id,email,first_name,last_name,avatar_url,created_at,updated_at,jobTitle */
                    "text/csv": string;
                };
            };
        };
    };
    lookUpContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ann@example.com",
                 *         "bob@example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LookupInput"];
            };
        };
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *           "first_name": "Ann",
                     *           "last_name": "Lee",
                     *           "email": "ann@example.com",
                     *           "avatar_url": "https://example.com/ann.png",
                     *           "supervisor_id": null,
                     *           "created_at": "2026-11-20T09:30:00+00:00",
                     *           "updated_at": "2026-11-20T09:30:00+00:00",
                     *           "field_values": [
                     *             {
                     *               "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *               "key": "jobTitle",
                     *               "name": "Job Title",
                     *               "type": "string",
                     *               "value": "Head of Sales"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "missing": [
                     *           "bob@example.com"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ContactDetail"][];
                        meta: components["schemas"]["LookupMeta"];
                    };
                };
            };
        };
    };
    readContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer; unchanged since is answered with 304 */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *         "first_name": "Ann",
                     *         "last_name": "Lee",
                     *         "email": "ann@example.com",
                     *         "avatar_url": "https://example.com/ann.png",
                     *         "supervisor_id": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "field_values": [
                     *           {
                     *             "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *             "key": "jobTitle",
                     *             "name": "Job Title",
                     *             "type": "string",
                     *             "value": "Head of Sales"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ContactDetail"];
                    };
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer; changed since is answered with 412 */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer; changed since is answered with 412 */
                "If-Match"?: string;
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "last_name": "Li",
                 *       "avatar_url": null,
                 *       "field_values": {
                 *         "jobTitle": "Head of Sales"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactChangeInput"];
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000ab",
                     *         "first_name": "Ann",
                     *         "last_name": "Lee",
                     *         "email": "ann@example.com",
                     *         "avatar_url": "https://example.com/ann.png",
                     *         "supervisor_id": null,
                     *         "created_at": "2026-11-20T09:30:00+00:00",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "field_values": [
                     *           {
                     *             "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *             "key": "jobTitle",
                     *             "name": "Job Title",
                     *             "type": "string",
                     *             "value": "Head of Sales"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ContactDetail"];
                    };
                };
            };
        };
    };
    readFieldValues: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer; unchanged since is answered with 304 */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As they are now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *           "key": "jobTitle",
                     *           "name": "Job Title",
                     *           "type": "string",
                     *           "value": "Head of Sales"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FieldValueEntry"][];
                    };
                };
            };
        };
    };
    replaceFieldValues: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer; changed since is answered with 412 */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a contact */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "field_values": {
                 *         "jobTitle": "Head of Sales"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FieldValuesInput"];
            };
        };
        responses: {
            /** @description As they are now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "field_id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *           "key": "jobTitle",
                     *           "name": "Job Title",
                     *           "type": "string",
                     *           "value": "Head of Sales"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FieldValueEntry"][];
                    };
                };
            };
        };
    };
    listFields: {
        parameters: {
            query?: {
                /** @description `true` lists archived fields too */
                archived?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *           "key": "jobTitle",
                     *           "name": "Job Title",
                     *           "type": "string",
                     *           "directory_id": "01931e3a-7c00-7000-8000-000000000001",
                     *           "archived": false,
                     *           "filterable": "no"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Field"][];
                    };
                };
            };
        };
    };
    createField: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Job Title",
                 *       "type": "string"
                 *     }
                 */
                "application/json": components["schemas"]["FieldInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *         "key": "jobTitle",
                     *         "name": "Job Title",
                     *         "type": "string",
                     *         "directory_id": "01931e3a-7c00-7000-8000-000000000001",
                     *         "archived": false,
                     *         "filterable": "no"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Field"];
                    };
                };
            };
        };
    };
    changeField: {
        parameters: {
            query?: never;
            header?: {
                /** @description Marks a call that may be repeated, for example after a lost connection: it is done once, and the same call with the same key gets the same answer for 24 hours. Each user has keys of their own. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a field */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Position",
                 *       "archived": false,
                 *       "filterable": true
                 *     }
                 */
                "application/json": components["schemas"]["FieldChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000cd",
                     *         "key": "jobTitle",
                     *         "name": "Job Title",
                     *         "type": "string",
                     *         "directory_id": "01931e3a-7c00-7000-8000-000000000001",
                     *         "archived": false,
                     *         "filterable": "no"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Field"];
                    };
                };
            };
        };
    };
    listFieldValues: {
        parameters: {
            query?: {
                /** @description The page, from 1 */
                "page[number]"?: number;
                /** @description How many on a page */
                "page[size]"?: number;
                /** @description `-value` turns the type's own order round */
                "sort[]"?: ("value" | "-value")[];
            };
            header?: never;
            path: {
                /** @description The id of a field */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "Head of Sales"
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "per_page": 25,
                     *         "total": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Scalar"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    readContent: {
        parameters: {
            query?: {
                /** @description The syntax in which merge tags come back; without it they are as they were written. `marketing_cloud` means `sfmc`. */
                platform?: "marketo" | "eloqua" | "hubspot" | "pardot" | "sfmc" | "mailchimp" | "braze" | "klaviyo" | "iterable" | "responsys" | "adobe_campaign" | "customerio" | "activecampaign" | "sendgrid" | "adobe_journey_optimizer" | "acoustic" | "liquid" | "handlebars" | "marketing_cloud";
                /** @description The integration whose own texts for merge tags are used, as the link in an event may name it; without it those of the company's oldest integration of that format that has any */
                integration_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer; unchanged since is answered with 304 */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "name": "Spring sale",
                     *         "type": "email",
                     *         "subject": "Spring is here",
                     *         "preheader": "Up to half off",
                     *         "updated_at": "2026-11-20T09:30:00+00:00",
                     *         "html": "<p>Hello {{first_name|there}}</p>",
                     *         "text": "Hello {{first_name|there}}",
                     *         "platform": null,
                     *         "merge_tags": [
                     *           "first_name"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Content"];
                    };
                };
            };
        };
    };
    reportSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an asset */
                id: string;
            };
            cookie?: never;
        };
        /** @description JSON in UTF-8, at most 1048576 bytes */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "map_id": "4711",
                 *       "map_url": "https://platform.example/emails/4711"
                 *     }
                 */
                "application/json": components["schemas"]["SyncReport"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "01931e3a-7c00-7000-8000-0000000000c1",
                     *         "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                     *         "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                     *         "status": "sync_requested",
                     *         "map_id": null,
                     *         "map_url": null,
                     *         "error_message": null,
                     *         "requested_by": "ann@example.com",
                     *         "requested_at": "2026-11-20T09:30:00+00:00",
                     *         "reported_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Sync"];
                    };
                };
            };
        };
    };
    alertRaisedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "alertRaised",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "alert": "webhook_off",
                 *       "object_id": "01931e3a-7c00-7000-8000-0000000000d1",
                 *       "name": "CRM",
                 *       "detail": "Its receiver answered 410 Gone.",
                 *       "at": "2026-11-20T09:30:00+00:00"
                 *     }
                 */
                "application/json": components["schemas"]["AlertRaisedEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contactsChangedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "contactsChanged",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "changes": [
                 *         {
                 *           "id": "AAAAAAAAAAcAAAAAyfUafw",
                 *           "type": "contact.created",
                 *           "at": "2026-11-20T09:30:00+00:00",
                 *           "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                 *           "changed": [
                 *             "email",
                 *             "first_name"
                 *           ],
                 *           "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                 *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                 *         },
                 *         {
                 *           "id": "AAAAAAAAAAgAAAAAS6WNrg",
                 *           "type": "contact.updated",
                 *           "at": "2026-11-20T09:30:00+00:00",
                 *           "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                 *           "changed": [
                 *             "last_name",
                 *             "field:jobTitle"
                 *           ],
                 *           "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                 *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ContactsChangedEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    fieldsChangedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "fieldsChanged",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "changes": [
                 *         {
                 *           "id": "AAAAAAAAAAcAAAAAyfUafw",
                 *           "type": "field.updated",
                 *           "at": "2026-11-20T09:30:00+00:00",
                 *           "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                 *           "changed": [
                 *             "name"
                 *           ],
                 *           "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                 *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FieldsChangedEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    syncRequestedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "syncRequested",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "content_link": "https://hub.example/api/published/v1/assets/01931e3a-7c00-7000-8000-0000000000a1/content?platform=braze",
                 *       "sync_status_link": "https://hub.example/api/published/v1/sync-status/01931e3a-7c00-7000-8000-0000000000a1",
                 *       "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
                 *       "sync_type": "sync",
                 *       "asset_id": "01931e3a-7c00-7000-8000-0000000000a1",
                 *       "asset_name": "Spring sale",
                 *       "asset_type": "email",
                 *       "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
                 *       "integration_name": "Our Braze",
                 *       "platform": "braze",
                 *       "map_id": null,
                 *       "map_url": null,
                 *       "requested_by": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SyncRequestedEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    syncsChangedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "syncsChanged",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "changes": [
                 *         {
                 *           "id": "AAAAAAAAAAcAAAAAyfUafw",
                 *           "type": "sync.completed",
                 *           "at": "2026-11-20T09:30:00+00:00",
                 *           "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
                 *           "changed": [
                 *             "status",
                 *             "map_id",
                 *             "map_url"
                 *           ],
                 *           "actor": "01931e3a-7c00-7000-8000-0000000000d1",
                 *           "request_id": "01931e3a-7c00-7000-8000-0000000000e1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SyncsChangedEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    testEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01931e3a-7c00-7000-8000-0000000000f1",
                 *       "event": "test",
                 *       "created_at": "2026-11-20T09:30:00+00:00",
                 *       "webhook_id": "01931e3a-7c00-7000-8000-0000000000d1"
                 *     }
                 */
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Nobody is here any more; the webhook is switched off */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; what it asks for may be done later */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken; tried again, not before `Retry-After` of a 429 or 503 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

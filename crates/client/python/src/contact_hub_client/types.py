# Generated from the OpenAPI document by datamodel-code-generator and scripts/generate.py.

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AlertRaisedEvent(TypedDict):
    alert: Literal['webhook_failing', 'webhook_warned', 'webhook_off', 'import_ended', 'key_expires']
    at: str
    created_at: str
    detail: str
    event: Literal['alertRaised']
    id: str
    name: str
    object_id: str


class ApiKey(TypedDict):
    """
    An API key, without its token.
    """

    created_at: str
    expires_at: str | None
    id: str
    last_used_at: str | None
    name: str
    revoked_at: str | None
    start: str


class ApiKeyInput(TypedDict):
    expires_at: NotRequired[str | None]
    name: NotRequired[str | None]


class ApiKeyWithToken(ApiKey):
    """
    An API key with its token, which is shown this once.
    """

    token: str


class Error(TypedDict):
    code: Literal['ACCESS_DENIED', 'API_KEY_NOT_FOUND', 'ASSET_NOT_FOUND', 'ASSET_TYPE_NOT_SUPPORTED', 'BAD_REQUEST', 'CONTACT_ALREADY_EXISTS', 'CONTACT_ERASED', 'CONTACT_NOT_FOUND', 'CURSOR_EXPIRED', 'DELIVERY_NOT_FOUND', 'EMAIL_DOMAIN_NOT_ALLOWED', 'FIELD_ALREADY_EXISTS', 'FIELD_NOT_FOUND', 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENT_ANSWER_GONE', 'INTEGRATION_NOT_FOUND', 'INTERNAL_ERROR', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE', 'NOT_FOUND', 'OWN_ACCESS', 'PAYLOAD_TOO_LARGE', 'PRECONDITION_FAILED', 'REQUEST_HEADER_FIELDS_TOO_LARGE', 'REQUEST_TIMEOUT', 'SERVICE_UNAVAILABLE', 'SYNC_AMBIGUOUS', 'SYNC_NOT_REQUESTED', 'UNAUTHENTICATED', 'UNSUPPORTED_MEDIA_TYPE', 'USER_ALREADY_EXISTS', 'USER_NOT_FOUND', 'WEBHOOK_NOT_CONFIGURED', 'WEBHOOK_NOT_FOUND']
    message: str
    open_sync_ids: NotRequired[list[str]]


class ApplicationError(TypedDict):
    error: Error


AssetType: TypeAlias = Literal['email', 'landing_page']


AttemptTrigger: TypeAlias = Literal['scheduled', 'resend', 'recover', 'test']


AuditAction: TypeAlias = Literal['contact.deleted', 'contact.erased', 'contact.exported', 'email.unblocked', 'contacts.deleted', 'contacts.restored', 'contacts.updated', 'contacts.exported', 'contacts.imported', 'contacts.upserted', 'view.saved', 'view.deleted', 'field.created', 'field.updated', 'asset.created', 'asset.updated', 'asset.deleted', 'integration.created', 'integration.updated', 'integration.deleted', 'webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated', 'webhook.secrets_ended', 'webhook.tested', 'webhook.recovered', 'delivery.resent', 'deliveries.resent', 'company.created', 'company.updated', 'company.exported', 'user.created', 'user.updated', 'user.deleted', 'user.invited', 'user.password_changed', 'user.two_step_on', 'user.two_step_off', 'user.two_step_reset', 'user.recovery_codes_renewed', 'passkey.created', 'passkey.updated', 'passkey.deleted', 'passkey.counter_went_back', 'user.alerts_changed', 'api_key.created', 'api_key.revoked', 'session.created', 'session.recovered', 'session.by_passkey', 'session.failed', 'session.created_by_provider', 'session.failed_at_provider', 'user.linked_to_provider', 'identity_provider.created', 'identity_provider.updated', 'identity_provider.deleted', 'session.ended', 'sessions.ended']


class AuditActor(TypedDict):
    """
    Who did it.
    """

    address: str | None
    key: str | None
    user: str | None


class AuditEntry(TypedDict):
    """
    An entry of the audit.
    """

    action: AuditAction
    actor: AuditActor
    at: str
    counts: dict[str, Any] | None
    id: str
    new: dict[str, Any] | None
    object: str | None
    old: dict[str, Any] | None
    request_id: str | None


class BulkDeleteInput(TypedDict):
    ids: list[str]


class BulkDeleteResult(TypedDict):
    deleted: int


ChangeType: TypeAlias = Literal['contact.created', 'contact.updated', 'contact.deleted', 'contact.restored', 'contact.erased', 'field.created', 'field.updated', 'sync.requested', 'sync.completed', 'sync.failed']


class Company(TypedDict):
    """
    The company.
    """

    allowed_domains: list[str]
    created_at: str
    erase_deleted_after_days: int | None
    id: str
    name: str
    password_sign_in: bool
    product_access: bool
    requires_two_step: bool


class CompanyChange(TypedDict):
    allowed_domains: NotRequired[list[str]]
    erase_deleted_after_days: NotRequired[int | None]
    name: NotRequired[str]
    product_access: NotRequired[bool]
    requires_two_step: NotRequired[bool]


class Contact(TypedDict):
    """
    A contact without its values.
    """

    avatar_url: str | None
    created_at: str
    email: str
    first_name: str
    id: str
    last_name: str
    supervisor_id: str | None
    updated_at: str


class ContactInput(TypedDict):
    """
    Texts are trimmed, then measured in code points.
    """

    avatar_url: NotRequired[str | None]
    email: str
    field_values: NotRequired[dict[str, Any] | None]
    first_name: str
    last_name: str


ContactsPageMeta = TypedDict(
    'ContactsPageMeta',
    {
        'current_page': NotRequired[int],
        'from': NotRequired[int],
        'last_page': NotRequired[int | None],
        'next': NotRequired[str | None],
        'per_page': int,
        'to': NotRequired[int],
        'total': NotRequired[int | None],
    },
)


class CursorMeta(TypedDict):
    """
    Where a list that is read by cursors goes on.
    """

    next: str | None
    per_page: int


DeliveryState: TypeAlias = Literal['pending', 'in_progress', 'retrying', 'succeeded', 'exhausted', 'cancelled', 'skipped']


DisabledReason: TypeAlias = Literal['by_hand', 'gone', 'failing']


class ErasureInput(TypedDict):
    block: NotRequired[bool]


ErrorClass: TypeAlias = Literal['dns', 'blocked_address', 'connect', 'tls', 'timeout', 'http', 'too_large', 'internal']


EventName: TypeAlias = Literal['syncRequested', 'contactsChanged', 'fieldsChanged', 'syncsChanged', 'alertRaised']


class FailedRow(TypedDict):
    """
    A row of a bulk that failed.
    """

    details: dict[str, list[str]]
    email: str | None
    index: int


class FieldChange(TypedDict):
    archived: NotRequired[bool]
    filterable: NotRequired[bool]
    name: NotRequired[str]


FieldType: TypeAlias = Literal['string', 'number', 'date', 'datetime', 'boolean']


Filterable: TypeAlias = Literal['no', 'building', 'yes']


class LookupInput(TypedDict):
    """
    Exactly one of the two
    """

    emails: NotRequired[list[str]]
    ids: NotRequired[list[str]]


class LookupMeta(TypedDict):
    missing: list[str]


MergeTagFormat: TypeAlias = Literal['marketo', 'eloqua', 'hubspot', 'pardot', 'sfmc', 'mailchimp', 'braze', 'klaviyo', 'iterable', 'responsys', 'adobe_campaign', 'customerio', 'activecampaign', 'sendgrid', 'adobe_journey_optimizer', 'acoustic', 'liquid', 'handlebars']


class Next(TypedDict):
    """
    Where a feed continues.
    """

    next: str


PageMeta = TypedDict(
    'PageMeta',
    {
        'current_page': int,
        'from': int,
        'last_page': int,
        'per_page': int,
        'to': int,
        'total': int,
    },
)


Permission: TypeAlias = Literal['contacts_api', 'download_email', 'manage_integrations', 'publish', 'manage_access']


class RateLimitError(TypedDict):
    message: str
    type: Literal['rate_limit_exceeded']


class Recovery(TypedDict):
    """
    The result of a recovery.
    """

    recovered: int


class RecoveryInput(TypedDict):
    since: str
    webhook_id: str


class RotationInput(TypedDict):
    grace_seconds: NotRequired[int | None]
    secret: NotRequired[str | None]


Scalar: TypeAlias = str | int | Decimal | bool


ScalarInput: TypeAlias = str | int | float | Decimal | bool | None


class SyncInput(TypedDict):
    integration_id: str


class SyncReport(TypedDict):
    error_message: NotRequired[str | None]
    map_id: NotRequired[str | None]
    map_url: NotRequired[str | None]
    status: Literal['completed', 'failed']
    sync_id: NotRequired[str | None]


class SyncRequestedEvent(TypedDict):
    asset_id: str
    asset_name: str
    asset_type: AssetType
    content_link: str
    created_at: str
    event: Literal['syncRequested']
    id: str
    integration_id: str
    integration_name: str
    map_id: str | None
    map_url: str | None
    platform: MergeTagFormat
    requested_by: str | None
    sync_id: str
    sync_status_link: str
    sync_type: Literal['sync', 'resync']


SyncStatus: TypeAlias = Literal['sync_requested', 'completed', 'failed']


class TestEvent(TypedDict):
    created_at: str
    event: Literal['test']
    id: str
    webhook_id: str


class UnblockInput(TypedDict):
    email: str


class User(TypedDict):
    """
    A user.
    """

    created_at: str
    email: str
    id: str
    permissions: list[Permission]


class UserChange(TypedDict):
    email: NotRequired[str]
    permissions: NotRequired[list[Permission]]


class UserInput(TypedDict):
    email: str
    permissions: NotRequired[list[Permission] | None]


class Error1(TypedDict):
    details: str
    identifier: Literal['ValidationError']
    meta: dict[str, list[str]]


class ValidationErrors(TypedDict):
    error_at: str
    errors: list[Error1]


class Webhook(TypedDict):
    """
    A webhook. Its secret is not shown.
    """

    created_at: str
    disabled_reason: DisabledReason | None
    enabled: bool
    events: list[EventName]
    failed_attempts: int
    failing_since: str | None
    id: str
    name: str
    previous_secret_valid_until: str | None
    updated_at: str
    url: str
    warning: bool


class WebhookChange(TypedDict):
    enabled: NotRequired[bool]
    events: NotRequired[list[EventName]]
    name: NotRequired[str]
    secret: NotRequired[str]
    url: NotRequired[str]


class WebhookInput(TypedDict):
    enabled: NotRequired[bool | None]
    events: list[EventName]
    name: str
    secret: NotRequired[str | None]
    url: str


class WebhookMaybeWithSecret(Webhook):
    secret: NotRequired[str]
    whsec_secret: NotRequired[str]


class WebhookWithSecret(Webhook):
    """
    A webhook with a new secret, which is shown this once.
    """

    secret: str
    whsec_secret: str


class AssetChange(TypedDict):
    html: NotRequired[str]
    name: NotRequired[str]
    preheader: NotRequired[str | None]
    subject: NotRequired[str | None]
    text: NotRequired[str | None]
    type: NotRequired[AssetType]


class AssetInput(TypedDict):
    html: str
    name: str
    preheader: NotRequired[str | None]
    subject: NotRequired[str | None]
    text: NotRequired[str | None]
    type: AssetType


class AssetSummary(TypedDict):
    """
    An asset in a list: without its HTML and text.
    """

    created_at: str
    id: str
    name: str
    preheader: str | None
    subject: str | None
    sync_status: SyncStatus | None
    type: AssetType
    updated_at: str


class Attempt(TypedDict):
    """
    An attempt at a delivery.
    """

    answer: str | None
    duration_ms: int
    error_class: ErrorClass | None
    id: str
    number: int
    retry_after: int | None
    started_at: str
    status_code: int | None
    trigger: AttemptTrigger


class BulkInput(TypedDict):
    contacts: list[ContactInput]


class BulkResult(TypedDict):
    """
    What came of a bulk.
    """

    created: int
    errors: list[FailedRow]
    failed: int
    updated: int


class Change(TypedDict):
    """
    An entry of the change feed.
    """

    actor: str | None
    at: str
    changed: list[str]
    id: str
    object_id: str
    request_id: str | None
    type: ChangeType


class ContactChangeInput(TypedDict):
    """
    What is absent stays; at least one of the properties
    """

    avatar_url: NotRequired[str | None]
    email: NotRequired[str]
    field_values: NotRequired[dict[str, ScalarInput]]
    first_name: NotRequired[str]
    last_name: NotRequired[str]


class ContactsChangedEvent(TypedDict):
    changes: list[Change]
    created_at: str
    event: Literal['contactsChanged']
    id: str


class Content(TypedDict):
    """
    The content of an asset in a platform's syntax.
    """

    html: str
    id: str
    merge_tags: list[str]
    name: str
    platform: MergeTagFormat | None
    preheader: str | None
    subject: str | None
    text: str
    type: AssetType
    updated_at: str


class Delivery(TypedDict):
    """
    One event on its way to one webhook.
    """

    attempt_count: int
    created_at: str
    event: str
    event_id: str
    id: str
    next_attempt_at: str | None
    reason: str | None
    state: DeliveryState
    sync_id: str | None
    updated_at: str
    webhook_id: str


class DeliveryDetail(Delivery):
    """
    A delivery with its payload and attempts.
    """

    attempts: list[Attempt]
    payload: str | None


class Field(TypedDict):
    """
    A field.
    """

    archived: bool
    directory_id: str
    filterable: Filterable
    id: str
    key: str
    name: str
    type: FieldType


class FieldInput(TypedDict):
    filterable: NotRequired[bool | None]
    name: str
    type: FieldType


class FieldValueEntry(TypedDict):
    """
    A value with its field.
    """

    field_id: str
    key: str
    name: str
    type: FieldType
    value: Scalar


class FieldValuesInput(TypedDict):
    field_values: dict[str, ScalarInput]


class FieldsChangedEvent(TypedDict):
    changes: list[Change]
    created_at: str
    event: Literal['fieldsChanged']
    id: str


class Integration(TypedDict):
    """
    An integration.
    """

    asset_types: list[AssetType]
    created_at: str
    id: str
    merge_tag_format: MergeTagFormat
    merge_tag_mapping: dict[str, str]
    name: str
    updated_at: str


class IntegrationChange(TypedDict):
    asset_types: NotRequired[list[AssetType]]
    merge_tag_format: NotRequired[MergeTagFormat]
    merge_tag_mapping: NotRequired[dict[str, Any] | None]
    name: NotRequired[str]


class IntegrationInput(TypedDict):
    asset_types: list[AssetType]
    merge_tag_format: MergeTagFormat
    merge_tag_mapping: NotRequired[dict[str, Any] | None]
    name: str


class ListedContact(Contact):
    field_values: NotRequired[list[FieldValueEntry]]


class Sync(TypedDict):
    """
    A sync of an asset to an integration.
    """

    asset_id: str
    error_message: str | None
    id: str
    integration_id: str
    map_id: str | None
    map_url: str | None
    reported_at: str | None
    requested_at: str
    requested_by: str | None
    status: SyncStatus


class SyncsChangedEvent(TypedDict):
    changes: list[Change]
    created_at: str
    event: Literal['syncsChanged']
    id: str


class TestAttempt(Attempt):
    """
    The attempt of a test.
    """

    delivery_id: str
    event_id: str


class Asset(AssetSummary):
    """
    An asset.
    """

    html: str
    latest_syncs: list[Sync]
    text: str
    text_is_made: bool


class ContactDetail(Contact):
    """
    A contact with its values.
    """

    field_values: list[FieldValueEntry]


class Everything(TypedDict):
    """
    All that is known of one person.
    """

    audit: list[AuditEntry]
    changes: list[Change]
    contact: ContactDetail
    deliveries: list[Delivery]


class ExportedContact(ContactDetail):
    _cursor: str

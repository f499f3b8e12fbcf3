export { ContactHub, type ClientOptions } from "./client.js";
export { AnswerError, ConnectionError, ContactHubError, WebhookVerificationError } from "./errors.js";
export type { RetryOptions } from "./retry.js";
export type {
  CallOptions,
  ErrorCode,
  Input,
  Item,
  ListId,
  OperationId,
  Reply,
  Schemas,
  WebhookEvent,
} from "./types.js";
export { verifyWebhook, type ReceivedWebhook } from "./webhook.js";

// The types of calls, from the generated ones.

import type { OPERATIONS } from "./generated/operations.js";
import type { components, operations } from "./generated/schema.js";

/** The schemas of the interface, by name. */
export type Schemas = components["schemas"];

/** The id of an operation in the OpenAPI document. */
export type OperationId = keyof typeof OPERATIONS;

/** A code of an error to branch on. Later versions may have more. */
export type ErrorCode = Schemas["ApplicationError"]["error"]["code"];

/** An event that a webhook receives. Later versions may have more. */
export type WebhookEvent =
  | Schemas["SyncRequestedEvent"]
  | Schemas["ContactsChangedEvent"]
  | Schemas["FieldsChangedEvent"]
  | Schemas["SyncsChangedEvent"]
  | Schemas["AlertRaisedEvent"]
  | Schemas["TestEvent"];

type Parameters<Id extends OperationId, Place extends string> = operations[Id] extends {
  parameters: { [P in Place]?: infer Given };
}
  ? Exclude<Given, undefined>
  : never;

type IsOptional<T> = Record<string, never> extends T ? true : false;

type Member<Name extends string, T> = [T] extends [never]
  ? { [N in Name]?: never }
  : IsOptional<T> extends true
    ? { [N in Name]?: T }
    : { [N in Name]: T };

type RequestBody<Id extends OperationId> = NonNullable<operations[Id]["requestBody"]>;

type Body<Id extends OperationId> = [RequestBody<Id>] extends [never]
  ? never
  : RequestBody<Id> extends { content: { "application/json": infer Given } }
    ? Given
    : never;

type BodyMember<Id extends OperationId> = undefined extends operations[Id]["requestBody"]
  ? Partial<Member<"body", Body<Id>>>
  : Member<"body", Body<Id>>;

type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : {};

type Responses<Id extends OperationId> = operations[Id]["responses"];

/** How a call is made, beside what it sends. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
  /** The key under which the service recognizes a repeated call; one is generated if there is none. */
  idempotencyKey?: string;
  /** The version that a read already has: an unchanged one is answered with status 304 and without `data`. */
  ifNoneMatch?: string;
  /** The version that a change expects: another one is an error with status 412. */
  ifMatch?: string;
}

/** What a call sends. */
export type Input<Id extends OperationId> = Member<"path", Parameters<Id, "path">> &
  Member<"query", Parameters<Id, "query">> &
  BodyMember<Id> &
  CallOptions;

/** The input may be left out when nothing in it is required. */
export type Arguments<Id extends OperationId> =
  IsOptional<Input<Id>> extends true ? [input?: Input<Id>] : [input: Input<Id>];

/** What a call answers: `data` and `meta` as the operation has them, with the status and the headers. */
export type Reply<Id extends OperationId> = JsonOf<Responses<Id>[keyof Responses<Id>]> & {
  status: number;
  headers: Headers;
};

/** The operations whose lists are read to their end. */
export type ListId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]["paging"] extends null ? never : Id;
}[OperationId];

/** An item of a list. */
export type Item<Id extends OperationId> = Reply<Id> extends { data: (infer One)[] } ? One : never;

// Writes operations.ts and schema.ts from the OpenAPI document: node scripts/generate.mjs openapi.json src/generated
//
// The types of errors and of headers are the same for all operations and are written by hand, so they are left out.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const METHODS = ["get", "put", "post", "delete", "patch"];

/** Every operation of the document, as [path, method, operation]. */
function operations(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => [path, method, item[method]]),
  );
}

/** How a list is read to its end. */
function paging(operation) {
  const meta = operation.responses["200"]?.content?.["application/json"]?.schema?.properties?.meta;
  const names = (operation.parameters ?? []).map(({ name }) => name);
  if (!meta) return null;
  if (names.includes("page[after]")) return "cursor";
  return names.includes("page[number]") ? "number" : null;
}

const [file, folder] = process.argv.slice(2);
const document = JSON.parse(await readFile(file, "utf8"));
const table = operations(document).map(([path, method, operation]) => {
  const keyed = (operation.parameters ?? []).some(({ name }) => name === "Idempotency-Key");
  const entry = { method: method.toUpperCase(), path, keyed, paging: paging(operation) };
  return `  ${operation.operationId}: ${JSON.stringify(entry)},\n`;
});
await writeFile(
  join(folder, "operations.ts"),
  `// Generated from the OpenAPI document by scripts/generate.mjs.

/** Method, path, whether a call may have an idempotency key, and how a list is read, by the operation's id. */
export const OPERATIONS = {
${table.join("")}} as const;
`,
);

for (const [, , operation] of operations(document)) {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith("2")) delete operation.responses[status];
    delete response.headers;
  }
}
delete document.components.responses;
delete document.components.headers;
for (const item of Object.values(document.webhooks)) delete item.post.parameters;
const types = astToString(await openapiTS(document));
await writeFile(
  join(folder, "schema.ts"),
  `// Generated from the OpenAPI document by openapi-typescript and scripts/generate.mjs.\n\n${types}`,
);

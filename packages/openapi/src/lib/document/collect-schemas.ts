import type { AnyProblemCatalog } from '@plumbline/problem'
import type { AnyOperation } from '../operation.ts'
import { schemasOf } from '../schema/extensions.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'

/** Collects a document's schemas, in the operations' order. */
export function* collectSchemas(
  operations: readonly AnyOperation[],
  catalog: AnyProblemCatalog,
): Iterable<Schema> {
  for (const { spec } of operations) yield* collectFromSpec(spec)
  for (const { extensions } of Object.values(catalog)) if (extensions) yield* schemasOf(extensions)
}

function* collectFromSpec(spec: OperationSpec): Iterable<Schema> {
  const { params, query, headers, cookies, body, responses = {}, callbacks = {} } = spec
  for (const schema of [params, query, headers, cookies]) if (schema) yield schema
  yield* collectFromBody(body)
  for (const response of Object.values(responses)) {
    yield* collectFromBody(response?.body)
    yield* Object.values(response?.stream?.parts ?? {})
    for (const { schema } of Object.values(response?.headers ?? {})) yield schema
  }
  for (const { webhook } of Object.values(callbacks)) yield* collectFromSpec(webhook.spec)
}

function collectFromBody(body: BodySpec | undefined): Iterable<Schema> {
  if (body === undefined) return []
  return isSchema(body) ? [body] : Object.values(body)
}

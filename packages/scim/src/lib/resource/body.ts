import type { Result } from '@plumbline/result'
import { badRequest, resultOf, type ScimError } from '../message/error.ts'
import { type AttributeNode, attributeIndex, fold } from '../schema/attribute-index.ts'
import type { SchemaDefinition } from '../schema/types.ts'
import { invalid, isObject, type JsonObject } from './read.ts'

/**
 * The attributes of a model by folded name, in the order in which they are written: `schemas` is worked
 * out and no part of the model.
 */
export function modelAttributes(definition: SchemaDefinition): ReadonlyMap<string, AttributeNode> {
  const { attributes } = attributeIndex({ [definition.id]: definition }).core
  const isFirst = (name: string): boolean => name === 'id' || name === 'externalid'
  const all = [...attributes].filter(([name]) => name !== 'schemas')
  return new Map([
    ...all.filter(([name]) => isFirst(name)),
    ...all.filter(([name]) => !isFirst(name)),
  ])
}

/** Reads a body by `read`, and gives what that throws of a client's mistakes as a failure. */
export function parseResource<Model>(
  body: unknown,
  schema: string,
  read: (members: JsonObject) => Model,
): Result<Model, ScimError> {
  return resultOf(() => {
    if (!isObject(body)) throw badRequest('invalidSyntax', 'the body must be a JSON object')
    requireSchema(body, schema)
    return read(body)
  })
}

/**
 * A `schemas` member that is there has to list the core schema.
 *
 * Deviation: RFC 7643 §3 requires the list; many clients leave it out.
 */
function requireSchema(body: JsonObject, schema: string): void {
  for (const [key, value] of Object.entries(body)) {
    if (fold(key) !== 'schemas' || value === null) continue
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
      throw invalid('schemas', 'must be a list of URNs')
    }
    if (!value.some((one) => fold(one) === fold(schema))) {
      throw invalid('schemas', `must list ${schema}`)
    }
  }
}

import type { Result } from '@plumbline/result'
import { type AttributeNode, attributeIndex, fold } from '../attributes.ts'
import type { SchemaDefinition } from '../discovery/types.ts'
import { refused, resultOf, type ScimError } from '../error.ts'
import { invalid, isObject, type Members } from './read.ts'

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
  read: (members: Members) => Model,
): Result<Model, ScimError> {
  return resultOf(() => {
    if (!isObject(body)) throw refused('invalidSyntax', 'the body must be a JSON object')
    requireSchema(body, schema)
    return read(body)
  })
}

/**
 * A `schemas` member that is there has to list the core schema.
 *
 * Deviation: RFC 7643 §3 requires the list; many clients leave it out.
 */
function requireSchema(body: Members, schema: string): void {
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

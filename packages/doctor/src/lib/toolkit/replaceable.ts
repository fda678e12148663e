import { isSameJson, type JsonObject, own } from '../json.ts'
import { fieldsOf, isUnique, readAttribute, targetsOf, writeAttribute } from '../model/fields.ts'
import type { ExaminedType } from '../model/types.ts'
import { comparedFields, differences } from './differences.ts'
import { expectNoDifferences, expectStatus } from './expect.ts'
import { withImmutable } from './immutable.ts'
import { readResource } from './patch.ts'
import type { Operation, Server } from './server.ts'

/** A user with every attribute, and other values the server accepted for another user. */
export interface Replaceable {
  readonly type: ExaminedType
  readonly path: string
  /** The user as it is read. */
  readonly before: JsonObject
  /** The user with the other values. */
  readonly next: JsonObject
}

/**
 * Creates a user, and finds other values for the attributes. They are read from another user: RFC 7644 §3.3 lets a
 * server alter or ignore what it is sent, but it can store what it returned.
 */
export async function createReplaceable(server: Server): Promise<Replaceable> {
  const type = server.type('User')
  const other = await server.createWhole(type)
  const values = await readResource(server, other.path)
  // An address may have to be unique, too.
  expectStatus(await server.delete(other.path), 200, 204)
  const { path } = await server.createWhole(type)
  const before = await readResource(server, path)
  // A server may take an address from the userName.
  const renamed: JsonObject = JSON.parse(
    JSON.stringify(values).replaceAll(String(values.userName), String(before.userName)),
  )
  const fields = fieldsOf(type.definitions)
  const written = comparedFields(fields).reduce<JsonObject>(
    (body, field) => {
      const { name } = field.attribute
      const isOwn = isUnique(field.attribute) || name === 'userName' || isReference(field)
      const value = readAttribute(isOwn ? before : renamed, field)
      return value === undefined ? body : writeAttribute(body, field, value)
    },
    { schemas: before.schemas },
  )
  const identified = {
    ...written,
    ...(own(before, 'externalId') !== undefined && { externalId: server.unique() }),
  }
  const next = withImmutable(fields, identified, before)
  return { type, path, before, next: server.settle(type, next, before) }
}

/**
 * Requires a user to be read with the values it was sent. A server may have a default for the others. `active` has
 * separate checks.
 */
export async function expectReplaced(
  server: Pick<Server, 'get'>,
  { type, path, next }: Pick<Replaceable, 'type' | 'path' | 'next'>,
): Promise<void> {
  const after = await readResource(server, path)
  const fields = fieldsOf(type.definitions).filter(
    (one) => one.path !== 'active' && readAttribute(next, one) !== undefined,
  )
  expectNoDifferences(differences(fields, next, after), `${path} as it was sent`)
}

/** Builds the operations to replace each user attribute by path. */
export function replacements({ type, before, next }: Replaceable): readonly Operation[] {
  const fields = comparedFields(fieldsOf(type.definitions))
  return fields.flatMap((field) => {
    const value = readAttribute(next, field)
    const isChanged = field.path !== 'active' && value !== undefined
    if (!isChanged || isSameJson(value, readAttribute(before, field))) return []
    return [{ op: 'replace', path: field.path, value }]
  })
}

/** Returns the user after these operations: a complex attribute keeps the parts missing in the new value. */
export function afterReplacements(replaceable: Replaceable): Replaceable {
  const { type, before, next } = replaceable
  const complex = comparedFields(fieldsOf(type.definitions)).filter(
    ({ attribute }) => attribute.type === 'complex' && !attribute.multiValued,
  )
  const merged = complex.reduce<JsonObject>((body, field) => {
    const value = readAttribute(next, field)
    if (value === undefined) return body
    return writeAttribute(body, field, {
      ...Object(readAttribute(before, field)),
      ...Object(value),
    })
  }, next)
  return { ...replaceable, next: merged }
}

function isReference({ attribute }: ReturnType<typeof fieldsOf>[number]): boolean {
  return targetsOf(attribute).length > 0
}

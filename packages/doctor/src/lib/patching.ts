import { USER_SCHEMA } from '@plumbline/scim'
import type { Check } from './check.ts'
import {
  isJsonObject,
  type JsonObject,
  memberAt,
  namesOf,
  objectsOf,
  own,
  stringsOf,
} from './json.ts'
import { type AttributeNeed, findAttributeReason, type RoleNeed } from './model/attribute-needs.ts'
import { type ExaminedType, findAttribute } from './model/types.ts'
import { findVocabulary } from './model/vocabulary.ts'
import { isContaining } from './rows/holding.ts'
import type { PatchRow, UserValues } from './rows/patch-row.ts'
import { renamed, renamingOf } from './rows/renaming.ts'
import { findType } from './toolkit/create.ts'
import { expectAbsent, expectMember, expectStatus, show } from './toolkit/expect.ts'
import { fail, skip } from './toolkit/finding.ts'
import { modifyUser, readResource, skipDerived } from './toolkit/patch.ts'
import type { Operation, Server } from './toolkit/server.ts'

/** A form in which a client sends a row's operation. */
export interface PatchForm {
  readonly row: PatchRow
  /** The operation, such as `Add`; replace by default, and remove for a row without a value. */
  readonly op?: string
  /** Changes the spelling of the path. */
  readonly path?: (path: string) => string
  /** Whether to send the path as a member name in the value, without a `path`. */
  readonly inValue?: boolean
  /** Changes the spelling of the value. */
  readonly value?: (value: unknown) => unknown
}

/** A check for one operation: it must change a user as the row says. */
export interface Patching extends Omit<Check, 'run' | 'missing'>, PatchForm {
  /** Rows for servers without the row's attributes, such as servers with one address. */
  readonly otherwise?: readonly PatchRow[]
  /** Whether the operation must be ignored if the server declares none of the attributes. */
  readonly isIgnored?: boolean
  /** Whether a server may reject the path with invalidPath, because it does not support this form. */
  readonly isOptional?: boolean
}

/** Creates the check. It is skipped if the server does not keep the values the operation changes. */
export function patching({
  row,
  otherwise = [],
  isIgnored = false,
  isOptional = false,
  op,
  path,
  inValue,
  value,
  needs = [],
  ...check
}: Patching): Check {
  const rows = [row, ...otherwise]
  const form = { op, path, inValue, value } as Omit<PatchForm, 'row'>
  const reasonsOf = (types: readonly ExaminedType[]) => rows.map((one) => findLack(types, one))
  return {
    ...check,
    needs: ['patch', 'check:create.user', ...needs],
    missing: (types) => {
      const reasons = reasonsOf(types)
      return isIgnored || reasons.includes(null) ? null : (reasons[0] ?? null)
    },
    run: async (server) => {
      const at = reasonsOf(server.types).indexOf(null)
      const { [at]: applicable } = rows
      const asked = isOptional ? withoutPath(server) : server
      if (applicable !== undefined) return expectPatched(asked, { ...form, row: applicable })
      return expectIgnored(server, operationOf({ ...form, row }, server.unique()))
    },
  }
}

/** The server, whose answer invalidPath skips the check. */
function withoutPath(server: Server): Server {
  return {
    ...server,
    modify: async (path, ...operations) => {
      const response = await server.modify(path, ...operations)
      if (response.status === 400 && memberAt(response.body, 'scimType') === 'invalidPath') {
        skip(`The server does not support the path ${operations[0]?.path}.`)
      }
      return response
    },
  }
}

/** Returns why a server cannot have a row's values, or null. */
function findLack(types: readonly ExaminedType[], row: PatchRow): string | null {
  for (const need of new Set(row.needs.map(needOf))) {
    const reason = findAttributeReason(types, need)
    if (reason !== null) return reason
  }
  const users = findType(types, 'User')
  const { before, after } = renamed(row, renamingOf(findVocabulary(users)))
  return findKindLack(users, before('')) ?? findKindLack(users, after(''))
}

/** Returns why a server lacks a place for a `type` in the values, or null. */
function findKindLack(users: ExaminedType, values: UserValues): string | null {
  for (const [name, value] of Object.entries(values)) {
    const kinds = findAttribute(users, `${name}.type`)?.canonicalValues ?? []
    for (const { type } of objectsOf(value)) {
      if (kinds.length === 0 || typeof type !== 'string' || kinds.includes(type)) continue
      return `The schema of User does not declare ${name} of the type ${type}.`
    }
  }
  return null
}

/** Throws unless the operation changes a new user as the row says. */
export async function expectPatched(server: Server, form: PatchForm): Promise<void> {
  const tag = server.unique()
  const row = rowFor(server, form.row)
  const { value, path: target } = operationOf({ ...form, row }, tag)
  // RFC 7644 §3.5.2.2: a required attribute's removal is rejected.
  if (value === undefined) requireOptional(server, target?.replace(/\[.*\]/, '') ?? '')
  const { path } = await createBefore(server, row, tag)
  const operation = operationOf({ ...form, row }, tag)
  expectStatus(await server.modify(path, operation), 200, 204)
  const user = await readResource(server, path)
  const after = row.after(tag)
  for (const [name, values] of Object.entries(after)) {
    if (Array.isArray(values) && values.length === 0) skipDerived(user, name)
  }
  expectValues(user, after)
  if (form.inValue === true && isJsonObject(operation.value)) {
    const [name = ''] = Object.keys(operation.value)
    if (name !== row.path?.(tag) || /[.[:]/.test(name)) expectAbsent(user, [name])
  }
}

/** Throws unless an operation on an undeclared attribute is ignored, and the next operation is applied. */
export async function expectIgnored(server: Server, operation: Operation): Promise<void> {
  const { text } = server.words()
  const value = server.fit(text, 'Grace Sample')
  const user = await modifyUser(server, {}, operation, { op: 'Replace', path: text, value })
  expectMember(user, text, value)
}

/** Renames a row's attributes as the server declares them. A userName gets unique values. */
export function rowFor(server: Server, row: PatchRow): PatchRow {
  const vocabulary = findVocabulary(server.type('User'))
  const found = renamed(row, renamingOf(vocabulary))
  if (vocabulary.text !== 'userName') return found
  const name = server.fit('userName', '')
  const fitting = (values: unknown): unknown =>
    isJsonObject(values) && own(values, 'userName') !== undefined
      ? { ...values, userName: name }
      : values
  return {
    ...found,
    value: (tag) => (found.path?.(tag) === 'userName' ? name : fitting(found.value(tag))),
    after: (tag) => Object(fitting(found.after(tag))),
  }
}

/** Creates a row's user before the change. The row comes from `rowFor`. */
export async function createBefore(
  server: Server,
  { before }: Pick<PatchRow, 'before'>,
  tag: string,
): ReturnType<Server['create']> {
  const wanted = before(tag)
  for (const [path, value] of Object.entries(wanted)) {
    if (value === undefined) requireOptional(server, path)
  }
  const created = await server.create('User', overridesOf(server, wanted))
  // RFC 7644 §3.3: a server is free to alter or ignore what it is sent.
  const kept = await readResource(server, created.path)
  for (const [path, value] of Object.entries(wanted)) {
    if (!isContaining(memberAt(kept, namesOf(path)), value))
      skip(`The server does not keep ${path} as it was sent.`)
  }
  return created
}

/** Throws unless the user has the values. */
export function expectValues(user: JsonObject, values: UserValues): void {
  for (const [path, value] of Object.entries(values)) {
    const found = memberAt(user, namesOf(path))
    if (isContaining(found, value)) continue
    const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
    fail(isNone ? `${path} to be absent` : `${path} to be ${show(withNull(value))}`, show(found))
  }
}

/** Shows a value in a message: null marks each part that must be absent. */
function withNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part) => (part === undefined ? null : part)))
}

/** Builds a row's operation in the form. */
export function operationOf({ row, op, ...form }: PatchForm, tag: string): Operation {
  const plain = row.path?.(tag)
  const path = plain && (form.path?.(plain) ?? plain)
  const usual = row.value(tag)
  const value = form.value?.(usual) ?? usual
  const name = op ?? (value === undefined ? 'remove' : 'replace')
  if (path === undefined) return { op: name, value }
  if (form.inValue === true) return { op: name, value: { [path]: value } }
  return { op: name, path, ...(value !== undefined && { value }) }
}

/** The sample has other attributes in an extension, and `schemas` must name it. */
function overridesOf(server: Server, values: UserValues): JsonObject {
  const sample = server.sample('User')
  const overrides: JsonObject = server.set(values)
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith('urn:')) continue
    overrides[name] = { ...Object(own(sample, name)), ...Object(value) }
    overrides.schemas = [...new Set([USER_SCHEMA, ...stringsOf(sample.schemas), name])]
  }
  return overrides
}

/** Skips the check if the attribute at the path, or its parent, is required. */
function requireOptional({ type }: Pick<Server, 'type'>, path: string): void {
  for (const one of [path, path.split('.')[0] ?? '']) {
    if (findAttribute(type('User'), one)?.required === true) skip(`The server requires ${one}.`)
  }
}

/** Finds the need of a row's attribute: a role, if another attribute of a server may play it, too. */
function needOf(path: string): AttributeNeed | RoleNeed {
  return ROLES[path] ?? `User.${path}`
}

const ROLES: Readonly<Record<string, RoleNeed>> = {
  displayName: 'User:text',
  title: 'User:optional',
  'name.givenName': 'User:complex',
  'name.familyName': 'User:complex',
  'emails.value': 'User:list',
  'emails.type': 'User:list',
}

import { USER_SCHEMA } from '@plumbline/scim'
import type { Check } from './check.ts'
import type { AttributeNeed } from './features.ts'
import { isJsonObject, type JsonObject, objectsOf, own, stringsOf } from './json.ts'
import { findAttribute } from './model/types.ts'
import { isContaining } from './rows/holding.ts'
import type { PatchRow, UserValues } from './rows/patch-row.ts'
import { expectAbsent, expectStatus, show } from './toolkit/expect.ts'
import { fail, skip } from './toolkit/finding.ts'
import { readResource } from './toolkit/patch.ts'
import type { Operation, Server } from './toolkit/server.ts'

/** A form in which a client sends a row's operation. */
export interface PatchForm {
  readonly row: PatchRow
  /** The operation, such as `Add`; replace by default, and remove for a row without a value. */
  readonly op?: string
  /** Another spelling of the path. */
  readonly path?: string
  /** Whether the path is the name of a member in the value, and the operation does not have a path. */
  readonly inValue?: boolean
  /** Another spelling of the value. */
  readonly value?: unknown
}

/** A check that an operation changes a user as a row says. */
export type Patching = Omit<Check, 'run'> & PatchForm

/** Creates the check. It is skipped if the server does not keep the values the operation changes. */
export function patching({ row, op, path, inValue, value, needs = [], ...check }: Patching): Check {
  const form = { row, op, path, inValue, value } as PatchForm
  return {
    ...check,
    needs: ['patch', 'check:create.user', ...row.needs.map(needOf), ...needs],
    run: (server) => expectPatched(server, form),
  }
}

/** Throws unless the operation changes a new user as the row says. */
export async function expectPatched(server: Server, form: PatchForm): Promise<void> {
  const { row } = form
  const tag = server.unique()
  const { value, path: target } = operationOf(form, tag)
  // RFC 7644 §3.5.2.2: a required attribute's removal is rejected.
  if (value === undefined) requireOptional(server, target?.replace(/\[.*\]/, '') ?? '')
  const { path } = await createBefore(server, row, tag)
  const operation = operationOf(form, tag)
  expectStatus(await server.modify(path, operation), 200, 204)
  const user = await readResource(server, path)
  expectValues(user, row.after(tag))
  if (form.inValue === true && isJsonObject(operation.value)) {
    const [name = ''] = Object.keys(operation.value)
    if (name !== row.path?.(tag) || /[.[:]/.test(name)) expectAbsent(user, [name])
  }
}

/** Creates the user of a row before the change. */
export async function createBefore(
  server: Server,
  { before, after }: Pick<PatchRow, 'before' | 'after'>,
  tag: string,
): ReturnType<Server['create']> {
  const wanted = before(tag)
  requireKinds(server, wanted)
  requireKinds(server, after(tag))
  const created = await server.create('User', overridesOf(server, wanted))
  // RFC 7644 §3.3: a server is free to alter or ignore what it is sent.
  const kept = await readResource(server, created.path)
  for (const [name, value] of Object.entries(wanted)) {
    if (!isContaining(own(kept, name), value))
      skip(`The server does not keep ${name} as it was sent.`)
  }
  return created
}

/** Throws unless the user has the values. */
export function expectValues(user: JsonObject, values: UserValues): void {
  for (const [name, value] of Object.entries(values)) {
    const found = own(user, name)
    if (isContaining(found, value)) continue
    const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
    fail(isNone ? `${name} to be absent` : `${name} to be ${show(withNull(value))}`, show(found))
  }
}

/** The value with null for each part that must not have a value, as a message shows it. */
function withNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part) => (part === undefined ? null : part)))
}

/** The operation of a row in a form. */
export function operationOf({ row, op, ...form }: PatchForm, tag: string): Operation {
  const path = form.path ?? row.path?.(tag)
  const value = form.value ?? row.value(tag)
  const name = op ?? (value === undefined ? 'remove' : 'replace')
  if (path === undefined) return { op: name, value }
  if (form.inValue === true) return { op: name, value: { [path]: value } }
  return { op: name, path, ...(value !== undefined && { value }) }
}

/** The sample has other attributes of an extension, and `schemas` must name it. */
function overridesOf(server: Server, values: UserValues): JsonObject {
  const overrides: JsonObject = { ...values }
  const sample = server.sample('User')
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith('urn:')) continue
    overrides[name] = { ...Object(own(sample, name)), ...Object(value) }
    overrides.schemas = [...new Set([USER_SCHEMA, ...stringsOf(sample.schemas), name])]
  }
  return overrides
}

/** Skips the check if a server does not have a place for a `type` of the values. */
function requireKinds({ type }: Pick<Server, 'type'>, values: UserValues): void {
  for (const [name, value] of Object.entries(values)) {
    const kinds = findAttribute(type('User'), `${name}.type`)?.canonicalValues ?? []
    for (const { type: kind } of objectsOf(value)) {
      if (kinds.length > 0 && typeof kind === 'string' && !kinds.includes(kind)) {
        skip(`The schema of User does not declare ${name} of the type ${kind}.`)
      }
    }
  }
}

/** Skips the check if the attribute at the path, or one that contains it, is required. */
function requireOptional({ type }: Pick<Server, 'type'>, path: string): void {
  for (const one of [path, path.split('.')[0] ?? '']) {
    if (findAttribute(type('User'), one)?.required === true) skip(`The server requires ${one}.`)
  }
}

function needOf(path: string): AttributeNeed {
  return `User.${path}`
}

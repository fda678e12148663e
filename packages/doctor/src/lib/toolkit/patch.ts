import { type JsonObject, memberAt, objectsOf } from '../json.ts'
import { findAttribute } from '../model/types.ts'
import { expectMember, expectStatus } from './expect.ts'
import { skip } from './finding.ts'
import type { Created, Operation, Server } from './server.ts'

/** The parts of a server that these functions use. */
type Patching = Pick<Server, 'create' | 'get' | 'modify'>

/** Reads a resource by its path. */
export async function readResource(
  { get }: Pick<Server, 'get'>,
  path: string,
): Promise<JsonObject> {
  const response = await get(path)
  expectStatus(response, 200)
  return response.body
}

/** Sends a PATCH request that must succeed, and returns the resource as it is read afterwards. */
export async function modifyResource(
  server: Patching,
  path: string,
  ...operations: readonly Operation[]
): Promise<JsonObject> {
  expectStatus(await server.modify(path, ...operations), 200, 204)
  return readResource(server, path)
}

/** Creates a user, sends a PATCH request that must succeed, and returns the user as it is read afterwards. */
export async function modifyUser(
  server: Patching,
  overrides: JsonObject,
  ...operations: readonly Operation[]
): Promise<JsonObject> {
  const { path } = await server.create('User', overrides)
  return modifyResource(server, path, ...operations)
}

/** An address for work, which is primary if the server declares that. */
export function workEmail(
  { unique, type }: Pick<Server, 'unique' | 'type'>,
  name: string = unique(),
): JsonObject {
  const isPrimary = findAttribute(type('User'), 'emails.primary') !== undefined
  const value = `${name}@example.com`
  return { value, type: 'work', ...(isPrimary && { primary: true }) }
}

/** Two addresses of a user: one for work and one for home. Without a place for both, the check is skipped. */
export function twoEmails(
  server: Pick<Server, 'unique' | 'type'>,
): readonly [JsonObject, JsonObject] {
  const kinds = findAttribute(server.type('User'), 'emails.type')?.canonicalValues ?? []
  if (kinds.length > 0 && !kinds.includes('home')) {
    skip('The schema of User does not declare emails of the type home.')
  }
  const name = server.unique()
  return [workEmail(server, name), { value: `${name}@home.example`, type: 'home' }]
}

/** A user's addresses, by type. */
export function emailsByType(user: JsonObject): Readonly<Record<string, unknown>> {
  const emails = objectsOf(user.emails)
  return Object.fromEntries(emails.map(({ type, value }) => [String(type), value]))
}

/**
 * Waits until a change would get another time than the one of a resource: a moment, or more than a second if the
 * server counts in seconds.
 */
export async function waitForLaterChange(resource: JsonObject): Promise<string> {
  const lastModified = String(
    memberAt(resource, 'meta.lastModified') ?? skip('The server does not set meta.lastModified.'),
  )
  const isPrecise = /\.\d*[1-9]/.test(lastModified)
  await new Promise((resolve) => setTimeout(resolve, isPrecise ? 5 : 1_050))
  return lastModified
}

/** Requires that a request was either rejected as a modification, or ignored the modification. */
export async function expectUnmodified(
  server: Patching,
  { path }: Pick<Created, 'path'>,
  member: string,
  operation: Operation,
): Promise<void> {
  const before = memberAt(await readResource(server, path), member)
  expectStatus(await server.modify(path, operation), 200, 204, 400)
  expectMember(await readResource(server, path), member, before)
}

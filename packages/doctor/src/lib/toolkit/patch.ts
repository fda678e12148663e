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
  const response = await server.modify(path, ...operations)
  // RFC 7644 §3.12: a server limits the size of requests.
  if (response.status === 413 && operations.length > 1) {
    skip(`The server does not take ${operations.length} operations in a request.`)
  }
  expectStatus(response, 200, 204)
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

/** An element of the users' list, of its first or second type. The first one is primary if the server declares that. */
export function elementOf(
  { unique, type, words }: Pick<Server, 'unique' | 'type' | 'words'>,
  at: 0 | 1,
  name: string = unique(),
): JsonObject {
  const { path, kinds } = words().list
  const isPrimary = at === 0 && findAttribute(type('User'), `${path}.primary`) !== undefined
  const value = `${name}@${at === 0 ? 'example.com' : 'home.example'}`
  return { value, type: kinds[at], ...(isPrimary && { primary: true }) }
}

/** Two elements of the users' list, such as an address for work and one for home. */
export function twoElements(
  server: Pick<Server, 'unique' | 'type' | 'words'>,
): readonly [JsonObject, JsonObject] {
  const name = server.unique()
  return [elementOf(server, 0, name), elementOf(server, 1, name)]
}

/** The path of the elements of the users' list that a sample does not have. */
export function absentElement({ unique, words }: Pick<Server, 'unique' | 'words'>): string {
  const { path, kinds } = words().list
  const [, , third] = kinds
  const filter = third === undefined ? `value eq "${unique()}"` : `type eq "${third}"`
  return `${path}[${filter}]`
}

/** Skips the check if a server shows the userName where a list is empty: it takes the address of a user from it. */
export function skipDerived(user: JsonObject, list: string): void {
  const values = objectsOf(user[list])
  if (values.length > 0 && values.every(({ value }) => value === user.userName)) {
    skip(`The server takes ${list} from userName.`)
  }
}

/** The values of a list, by type. */
export function valuesByType(list: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(objectsOf(list).map(({ type, value }) => [String(type), value]))
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

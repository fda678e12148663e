import { type JsonObject, memberAt, objectsOf } from '../json.ts'
import { findAttribute } from '../model/types.ts'
import { expectMember, expectStatus } from './expect.ts'
import { skip } from './finding.ts'
import type { Created, Operation, Server } from './server.ts'

/** The parts of a server used here. */
type Patching = Pick<Server, 'create' | 'get' | 'modify'>

/** Reads the resource at a path. */
export async function readResource(
  { get }: Pick<Server, 'get'>,
  path: string,
): Promise<JsonObject> {
  const response = await get(path)
  expectStatus(response, 200)
  return response.body
}

/** Sends a PATCH request that must succeed, then reads and returns the resource. */
export async function modifyResource(
  server: Patching,
  path: string,
  ...operations: readonly Operation[]
): Promise<JsonObject> {
  const response = await server.modify(path, ...operations)
  // RFC 7644 §3.12: servers limit the request size.
  if (response.status === 413 && operations.length > 1) {
    skip(`The server does not take ${operations.length} operations in a request.`)
  }
  expectStatus(response, 200, 204)
  return readResource(server, path)
}

/** Creates a user, sends a PATCH request that must succeed, then reads and returns the user. */
export async function modifyUser(
  server: Patching,
  overrides: JsonObject,
  ...operations: readonly Operation[]
): Promise<JsonObject> {
  const { path } = await server.create('User', overrides)
  return modifyResource(server, path, ...operations)
}

/**
 * An element of the users' list, with its first or second type. The first is primary if the server declares `primary`.
 */
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

/** A path to elements of the users' list that samples do not have. */
export function absentElement({ unique, words }: Pick<Server, 'unique' | 'words'>): string {
  const { path, kinds } = words().list
  const [, , third] = kinds
  const filter = third === undefined ? `value eq "${unique()}"` : `type eq "${third}"`
  return `${path}[${filter}]`
}

/** Skips the check if an empty list shows the userName: the server derives the user's address from it. */
export function skipDerived(user: JsonObject, list: string): void {
  const values = objectsOf(user[list])
  if (values.length > 0 && values.every(({ value }) => value === user.userName)) {
    skip(`The server takes ${list} from userName.`)
  }
}

/** Maps each type in a list to the value. */
export function valuesByType(list: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(objectsOf(list).map(({ type, value }) => [String(type), value]))
}

/**
 * Waits until a change would get a later time than the resource has: a moment, or more than a second if the server
 * counts in seconds.
 */
export async function waitForLaterChange(resource: JsonObject): Promise<string> {
  const lastModified = String(
    memberAt(resource, 'meta.lastModified') ?? skip('The server does not set meta.lastModified.'),
  )
  const isPrecise = /\.\d*[1-9]/.test(lastModified)
  await new Promise((resolve) => setTimeout(resolve, isPrecise ? 5 : 1_050))
  return lastModified
}

/** Expects a PATCH to be either rejected as a modification or ignored. */
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

import { ExaminationError } from './examination-error.ts'
import { objectsOf } from './json.ts'
import type { ExaminedType } from './model/types.ts'
import type { Client } from './toolkit/client.ts'

/** The resources a server had before the examination. */
export interface Population {
  /** The name of the first resource type with resources, such as `User`. */
  readonly type: string
  /** How many resources it has; null if the server did not list them. */
  readonly count: number | null
}

/** Decides whether the examination may write to a server with resources. */
export type Confirm = (population: Population) => boolean | Promise<boolean>

/**
 * Sends a request for which the server needs credentials. Throws an ExaminationError if the server rejects them: many
 * servers serve their discovery documents without credentials.
 */
export async function requireAccess(client: Client, types: readonly ExaminedType[]): Promise<void> {
  const [type] = types
  if (type === undefined) return
  const response = await client.get(type.endpoint, { query: { count: 1 } })
  if (response.status !== 401) return
  throw new ExaminationError('unauthorized', `${response.request}: 401; check the token`)
}

/** Asks before the first request that writes. Throws an ExaminationError without the permission. */
export async function requireConfirmation(
  client: Client,
  types: readonly ExaminedType[],
  confirm: Confirm,
): Promise<void> {
  const population = await findPopulation(client, types)
  if (population === null || (await confirm(population))) return
  const { type, count } = population
  const message = `the server has resources (${type}: ${count ?? 'not known'}), and writing was not confirmed`
  throw new ExaminationError('not-confirmed', message)
}

async function findPopulation(
  client: Client,
  types: readonly ExaminedType[],
): Promise<Population | null> {
  for (const { name, endpoint } of types.slice(0, MAX_TYPES)) {
    const { status, body } = await client.get(endpoint, { query: { count: 1 } })
    const listed = objectsOf(body.Resources).length
    const count = typeof body.totalResults === 'number' ? body.totalResults : listed
    // A collection may have resources even if it cannot be read.
    if (status !== 200) return { type: name, count: null }
    if (count > 0 || listed > 0) return { type: name, count }
  }
  return null
}

const MAX_TYPES = 10

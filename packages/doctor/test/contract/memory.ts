import { ScimError } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { ResourceStore, WireResource } from '@plumbline/scim/endpoint'

/** The tenant that a request belongs to. */
export interface Tenant {
  readonly tenant: string
}

/** A row of the database: a resource of a tenant. */
export interface Row extends Tenant {
  readonly type: string
  readonly resource: WireResource
}

export type Store = ResourceStore<Tenant>

export type Transaction = <Value>(
  context: Tenant,
  work: (context: Tenant) => Promise<Value>,
) => Promise<Value>

/** The rows of all types. */
export interface Database {
  rows: readonly Row[]
  nextId: number
  /** The number of writes, which is the time of the clock. */
  writes?: number
}

/** Runs transactions one after another, and restores the rows if one fails. */
export function createTransaction(database: Database): Transaction {
  return inTurn(rolledBack(database, (context, work) => work(context)))
}

/** Transactions that wait for each other. */
export function inTurn(run: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve()
  return (context, work) => {
    const turn = last.then(() => run(context, work))
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Transactions that restore the rows if they fail. */
export function rolledBack(database: Database, run: Transaction): Transaction {
  return async (context, work) => {
    const { rows } = database
    try {
      return await run(context, work)
    } catch (error) {
      database.rows = rows
      throw error
    }
  }
}

/** A store of five functions that keeps whole resources and leaves everything else to the endpoint. */
export function createStore(
  database: Database,
  type: string,
  definitions: Discovery.Definitions,
): Store {
  const unique = Object.values(definitions)
    .flatMap(({ attributes }) => attributes)
    .filter(({ uniqueness }) => uniqueness === 'server')
  const isMine = (row: Row, { tenant }: Tenant): boolean =>
    row.type === type && row.tenant === tenant
  const find = (id: string, context: Tenant): Row | undefined =>
    database.rows.find((row) => isMine(row, context) && row.resource['id'] === id)
  const requireUnique = (resource: WireResource, context: Tenant): void => {
    for (const { name, caseExact } of unique) {
      const keyOf = (one: WireResource): string | undefined =>
        caseExact ? one[name]?.toString() : one[name]?.toString().toLowerCase()
      const isTaken = database.rows.some(
        (row) =>
          isMine(row, context) &&
          row.resource['id'] !== resource['id'] &&
          keyOf(row.resource) !== undefined &&
          keyOf(row.resource) === keyOf(resource),
      )
      if (isTaken) throw new ScimError(409, `${name} is taken`, { scimType: 'uniqueness' })
    }
  }
  const store: Store = {
    read: async (id, context) => find(id, context)?.resource ?? null,
    list: async (context) => ({
      resources: database.rows.filter((row) => isMine(row, context)).map((row) => row.resource),
    }),
    create: async (body, context) => {
      const id = `${type.toLowerCase()}-${database.nextId}`
      database.nextId += 1
      const created = timeOf(database)
      const resource = { ...body, id, meta: { created, lastModified: created } }
      requireUnique(resource, context)
      database.rows = [...database.rows, { tenant: context.tenant, type, resource }]
      return resource
    },
    replace: async (id, body, context) => {
      const old = find(id, context)
      if (old === undefined) return null
      const meta = { ...Object(old.resource['meta']), lastModified: timeOf(database) }
      const resource = { ...body, id, meta }
      requireUnique(resource, context)
      database.rows = database.rows.map((row) => (row === old ? { ...row, resource } : row))
      return resource
    },
    delete: async (id, context) => {
      const old = find(id, context)
      database.rows = database.rows.filter((row) => row !== old)
      if (old !== undefined) leaveGroups(database, id)
      return old !== undefined
    },
  }
  return store
}

/** The time of a write, one second after the write before. The milliseconds show that it is precise. */
function timeOf(database: Database): string {
  database.writes = (database.writes ?? 0) + 1
  return new Date(1_750_000_000_001 + database.writes * 1_000).toISOString()
}

/** Removes a deleted resource from the lists of all resources that refer to it. */
function leaveGroups(database: Database, id: string): void {
  database.rows = database.rows.map((row) => {
    const lists = Object.entries(row.resource).flatMap(([name, list]): [string, unknown][] => {
      if (!Array.isArray(list) || !list.some((one) => one.value === id)) return []
      const left = list.filter((one) => one.value !== id)
      return [[name, left.length === 0 ? undefined : left]]
    })
    if (lists.length === 0) return row
    return { ...row, resource: { ...row.resource, ...Object.fromEntries(lists) } }
  })
}

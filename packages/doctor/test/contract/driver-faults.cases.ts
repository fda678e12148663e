import { unwrap } from '@plumbline/result'
import { compareResources } from '@plumbline/scim'
import type { WireResource } from '@plumbline/scim/endpoint'
import { compileFilter } from '@plumbline/scim/filter'
import type { FaultCase } from './fault-case.ts'
import {
  compared,
  exactPage,
  type Fault,
  type Faulty,
  filteredBy,
  pause,
  whenListed,
  whenRead,
  whenWritten,
  wire,
  without,
} from './faults.ts'
import type { Database, Store } from './memory.ts'

type Values = readonly Readonly<Record<string, unknown>>[]

const list = (value: unknown): Values => (Array.isArray(value) ? value : [])

/** Mistakes that are usual with query builders, drivers and caches: ids, conditions of statements, limits of queries. */
export const DRIVER_FAULT_CASES: readonly FaultCase[] = [
  // Ids.
  {
    name: 'letters behind the number of an id are ignored, as by Number.parseInt',
    fault: idsAs((id) => id.replace(/(\d)\D+$/, '$1')),
    finds: ['declared.ids'],
  },
  {
    name: 'only delete parses the number of an id',
    fault: ({ store }) => ({
      read: async (id, context, request) =>
        (await store.read(id, context, request)) ??
        (request.isForUpdate && /\dabc$/.test(id) ? { id, userName: 'none' } : null),
      delete: (id, ...call) => store.delete(id.replace(/abc$/, ''), ...call),
    }),
    finds: ['declared.ids'],
  },
  {
    name: 'an id is converted by Number',
    fault: idsAs((id) => {
      const number = Number(id.replace(/^\s*user-/, ''))
      return Number.isNaN(number) ? id : `user-${number}`
    }),
    finds: ['declared.ids'],
  },
  {
    name: 'ids are compared without regard to letter case',
    fault: idsAs((id) => id.toLowerCase()),
    finds: ['declared.ids'],
  },
  {
    name: 'blanks behind an id are ignored, as a collation with PAD SPACE does',
    fault: idsAs((id) => id.trimEnd()),
    finds: ['declared.ids'],
  },
  // Conditions of statements without the id.
  {
    name: 'an address that a user no longer has is deleted from every user',
    fault: ({ store, database }) => ({
      replace: async (id, resource, context, request) => {
        const gone = removed(valuesOf(request.current, 'emails'), valuesOf(resource, 'emails'))
        keepOf(database, id, 'emails', (value) => !gone.includes(value))
        return await store.replace(id, resource, context, request)
      },
    }),
    finds: ['declared.twins'],
  },
  {
    name: 'an address belongs to the user who was created last with it',
    fault: ({ store, database }) => ({
      create: async (...call) => {
        const created = wire(await store.create(...call))
        const own = valuesOf(created, 'emails')
        keepOf(database, String(created['id']), 'emails', (value) => !own.includes(value))
        return created
      },
    }),
    finds: ['declared.twins'],
  },
  {
    name: 'a change is written to each user with the same externalId',
    fault: changesEach((externalId) => externalId !== undefined),
    finds: ['declared.twins'],
  },
  {
    name: 'a change of a user without an externalId is written to each of them, as by where undefined',
    fault: changesEach((externalId) => externalId === undefined),
    finds: ['declared.twins'],
  },
  {
    name: 'a member that leaves a group leaves every group',
    types: ['User', 'Group'],
    fault: ({ store, database }) => ({
      replace: async (id, resource, context, request) => {
        const gone = removed(valuesOf(request.current, 'members'), valuesOf(resource, 'members'))
        keepOf(database, id, 'members', (value) => !gone.includes(value))
        return await store.replace(id, resource, context, request)
      },
    }),
    finds: ['declared.twins'],
  },
  {
    name: 'the deletion of a group deletes its members, as by a cascade in the wrong direction',
    types: ['User', 'Group'],
    fault: ({ store, database }) => ({
      delete: async (id, ...call) => {
        const { resource = {} } = database.rows.find((row) => row.resource['id'] === id) ?? {}
        const members = valuesOf(resource, 'members')
        const isDeleted = await store.delete(id, ...call)
        database.rows = database.rows.filter((row) => !members.includes(row.resource['id']))
        return isDeleted
      },
    }),
    finds: ['declared.twins'],
  },
  // Filters.
  {
    name: 'ew is evaluated as co',
    types: ['Sensor'],
    // The other texts contain a random number, which the filter may be a part of.
    fault: filteredBy(
      compared((one) =>
        one.operator === 'ew' && one.path.attribute === 'place' ? { ...one, operator: 'co' } : one,
      ),
    ),
    finds: ['declared.filters'],
  },
  {
    name: 'a percent sign in ew is a wildcard',
    fault: filteredBy(
      compared((one) =>
        one.operator === 'ew' ? { ...one, value: String(one.value).replace(/^.*%/, '') } : one,
      ),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'an apostrophe in a filter ends the statement',
    fault: filteredBy(
      compared((one) => {
        if (String(one.value).includes("'")) throw new Error('unterminated quoted string')
        return one
      }),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'U+0000 in a filter is an error of the database',
    fault: filteredBy(
      compared((one) => {
        if (String(one.value).includes('\0')) throw new Error('invalid byte sequence')
        return one
      }),
    ),
    finds: ['declared.filters-exact'],
  },
  // Limits of queries.
  {
    name: 'a list has at most 50 resources',
    fault: whenListed(({ resources }) => resources.slice(0, 50)),
    finds: ['paging.many'],
  },
  {
    name: 'a list has at most 150 resources',
    fault: whenListed(({ resources }) => resources.slice(0, 150)),
    finds: ['paging.many'],
  },
  {
    name: 'a filter searches the first 100 resources',
    fault: whenListed(({ resources, request: { filter } }) =>
      filter === null ? resources : resources.slice(0, 100),
    ),
    finds: ['paging.many'],
  },
  {
    name: 'the addresses of the first 30 resources are loaded, as by a limited IN',
    fault: whenListed(({ resources }) =>
      resources.map((one, at) => (at < 30 ? one : without('emails')(one))),
    ),
    finds: ['paging.many'],
  },
  {
    name: 'only the resources of a page are sorted',
    fault: ({ store, definitions }) => ({
      list: async (context, request) => {
        const { resources } = await store.list(context, request)
        const { filter, sortBy, sortOrder } = request
        const matches = filter ? unwrap(compileFilter(filter, { definitions })) : () => true
        const all = resources.map(wire).filter(matches)
        const order = compareResources({ ...(sortBy && { sortBy }), sortOrder }, definitions)
        return {
          resources: [...exactPage(all, request)].sort(order),
          totalResults: all.length,
          applied: ['filter', 'sort', 'page'],
        }
      },
    }),
    finds: ['paging.many'],
  },
  // Columns and values.
  {
    name: 'strings are normalized to NFC',
    fault: whenWritten(changed((value) => (typeof value === 'string' ? value.normalize() : value))),
    finds: ['stored.texts'],
  },
  {
    name: 'U+0000 in a text is an error of the database',
    fault: whenWritten(
      changed((value) => {
        if (String(value).includes('\0')) throw new Error('invalid byte sequence')
        return value
      }),
    ),
    finds: ['stored.extremes'],
  },
  {
    name: '0 is stored as NULL',
    types: ['Sensor'],
    fault: whenWritten(changed((value) => (value === 0 ? undefined : value))),
    finds: ['stored.extremes'],
  },
  {
    name: 'integers have 32 bits',
    types: ['Sensor'],
    fault: whenWritten(changed((value) => (Number.isInteger(value) ? Number(value) | 0 : value))),
    finds: ['stored.extremes'],
  },
  {
    name: 'decimals have 32 bits',
    types: ['Sensor'],
    fault: whenWritten(
      changed((value) => (typeof value === 'number' ? Math.fround(value) : value)),
    ),
    finds: ['stored.extremes'],
  },
  {
    name: 'instants end in 2038, as a timestamp of MySQL does',
    types: ['Sensor'],
    fault: whenWritten(
      changed((value) =>
        /^\d{4}-\d\d-\d\dT/.test(String(value)) && Date.parse(String(value)) >= 2 ** 31 * 1_000
          ? '1970-01-01T00:00:00Z'
          : value,
      ),
    ),
    finds: ['stored.extremes'],
  },
  {
    name: 'lastModified is the time of the creation, as the default of a column is',
    fault: whenRead(({ meta, ...others }) => ({
      ...others,
      meta: { ...Object(meta), lastModified: Object(meta).created },
    })),
    finds: ['declared.last-modified'],
  },
  // Caches and files.
  {
    name: 'reads are cached by the id without the tenant',
    fault: cachesReads,
    finds: ['tenants.read'],
  },
  {
    name: 'a change writes all resources as they were when it started, as a file does',
    fault: ({ store, database }) => ({
      replace: async (id, ...call) => {
        const { rows } = database
        await pause()
        const replaced = await store.replace(id, ...call)
        const own = database.rows.find((row) => row.resource['id'] === id)
        database.rows = rows.map((row) => (own && row.resource['id'] === id ? own : row))
        return replaced
      },
    }),
    transaction: () => undefined,
    finds: ['races.others'],
  },
]

/** Changes the ids that a store receives. */
function idsAs(change: (id: string) => string): Fault {
  return ({ store }) => ({
    read: (id, ...call) => store.read(change(id), ...call),
    replace: (id, ...call) => store.replace(change(id), ...call),
    delete: (id, ...call) => store.delete(change(id), ...call),
  })
}

/** Writes a change to the other resources of the same externalId, too. */
function changesEach(isFaulty: (externalId: unknown) => boolean): Fault {
  return ({ store, database }) => ({
    replace: async (id, resource, context, request) => {
      const { externalId } = request.current
      const replaced = await store.replace(id, resource, context, request)
      if (!isFaulty(externalId)) return replaced
      const { userName: _userName, ...others } = resource
      database.rows = database.rows.map((row) =>
        row.resource['id'] !== id && row.resource['externalId'] === externalId
          ? { ...row, resource: { ...row.resource, ...others } }
          : row,
      )
      return replaced
    },
  })
}

/** Keeps the resources that were read, until they are changed or deleted. */
function cachesReads({ store }: Faulty): Partial<Store> {
  const cache = new Map<string, WireResource>()
  return {
    read: async (id, context, request) => {
      if (request.isForUpdate) return await store.read(id, context, request)
      const found = cache.get(id) ?? (await store.read(id, context, request))
      if (found !== null) cache.set(id, wire(found))
      return found
    },
    replace: async (id, ...call) => {
      cache.delete(id)
      return await store.replace(id, ...call)
    },
    delete: async (id, ...call) => {
      cache.delete(id)
      return await store.delete(id, ...call)
    },
  }
}

function valuesOf(resource: WireResource, name: string): readonly unknown[] {
  return list(resource[name]).map(({ value }) => value)
}

function removed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return before.filter((value) => !after.includes(value))
}

/** Keeps some values in the lists of the other resources. */
function keepOf(
  database: Database,
  id: string,
  name: string,
  isKept: (value: unknown) => boolean,
): void {
  database.rows = database.rows.map((row) => {
    if (row.resource['id'] === id || row.resource[name] === undefined) return row
    const left = list(row.resource[name]).filter(({ value }) => isKept(value))
    return { ...row, resource: { ...row.resource, [name]: left.length > 0 ? left : undefined } }
  })
}

/** Changes every value in a resource; undefined removes it. */
function changed(change: (value: unknown) => unknown): (resource: WireResource) => WireResource {
  return (resource) => JSON.parse(JSON.stringify(resource), (_, value) => change(value))
}

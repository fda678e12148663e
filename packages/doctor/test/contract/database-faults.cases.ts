import { unwrap } from '@plumbline/result'
import { compareResources } from '@plumbline/scim'
import type { WireResource } from '@plumbline/scim/endpoint'
import { compileFilter } from '@plumbline/scim/filter'
import type { FaultCase } from './fault-case.ts'
import {
  compared,
  conflict,
  exactPage,
  type Fault,
  filteredBy,
  paged,
  whenRead,
  whenWritten,
  wire,
} from './faults.ts'

/** Mistakes that the usual databases and tables make: collations, patterns, columns that are too small, keys. */
export const DATABASE_FAULT_CASES: readonly FaultCase[] = [
  {
    name: 'a filter ignores accents, as utf8mb4_general_ci does',
    fault: comparedAs((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    finds: ['declared.filters', 'declared.filters-exact'],
  },
  {
    name: 'a filter ignores trailing blanks, as a collation with PAD SPACE does',
    fault: comparedAs((text) => text.trimEnd()),
    finds: ['declared.filters', 'declared.filters-exact'],
  },
  {
    name: 'an underscore in sw is a wildcard',
    fault: filteredBy(
      compared((one) =>
        one.operator === 'sw' ? { ...one, value: String(one.value).replace(/_.*/, '') } : one,
      ),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'userName is unique across tenants',
    fault: ({ store, database, name }) => ({
      create: async (resource, context, request) => {
        const { userName } = resource
        const isTaken = database.rows.some(
          (row) =>
            row.type === name &&
            row.tenant !== context.tenant &&
            row.resource['userName'] === userName,
        )
        if (isTaken) throw conflict()
        return await store.create(resource, context, request)
      },
    }),
    finds: ['tenants.unique'],
  },
  {
    name: 'the version covers only the core schema',
    fault: (parts) => {
      const read = whenRead(withCoreVersion)(parts)
      return {
        ...read,
        create: async (...call) => withCoreVersion(await parts.store.create(...call)),
        replace: async (...call) => {
          const replaced = await parts.store.replace(...call)
          return replaced && withCoreVersion(wire(replaced))
        },
      }
    },
    finds: ['declared.version-attributes'],
  },
  {
    name: 'a second value of a type is lost',
    fault: whenWritten(lists((values) => distinct(values, ({ type }) => type))),
    finds: ['stored.lists'],
  },
  {
    name: 'one value with two types is stored once',
    fault: whenWritten(lists((values) => distinct(values, ({ value }) => value))),
    finds: ['stored.lists'],
  },
  {
    name: 'at most three values of a list are kept',
    fault: whenWritten(lists((values) => values.slice(0, 3))),
    finds: ['stored.lists'],
  },
  {
    name: 'nested groups are dropped',
    types: ['User', 'Group'],
    fault: whenWritten((resource) => ({
      ...resource,
      ...(Array.isArray(resource['members']) && {
        members: resource['members'].filter(({ value }) => !String(value).startsWith('group-')),
      }),
    })),
    finds: ['groups.nested'],
  },
  {
    name: 'a list is sorted by the first value, not by the primary one',
    fault: ({ store, definitions }) => ({
      list: async (context, request) => {
        const { resources } = await store.list(context, request)
        const { filter, sortBy, sortOrder } = request
        if (sortBy === null || filter !== null) return { resources }
        const order = compareResources({ sortBy, sortOrder }, definitions)
        const first = lists((values) => values.map(({ primary: _, ...value }) => value))
        const sorted = resources.map(wire).sort((a, b) => order(first(a), first(b)))
        return { resources: sorted, applied: ['filter', 'sort'] }
      },
    }),
    finds: ['sorting.primary'],
  },
  {
    name: 'totalResults is at most 10',
    fault: paged(exactPage, (all) => Math.min(all.length, 10)),
    finds: ['declared.pages', 'declared.stable'],
  },
  {
    name: 'totalResults is at most 50',
    fault: paged(exactPage, (all) => Math.min(all.length, 50)),
    finds: ['declared.pages'],
  },
  {
    name: 'totalResults is one too many beyond 20 resources',
    fault: paged(exactPage, ({ length }) => (length > 20 ? length + 1 : length)),
    finds: ['declared.pages'],
  },
  {
    name: 'strings are cut at 255 characters',
    fault: whenWritten(strings((text) => text.slice(0, 255))),
    finds: ['stored.texts'],
  },
  {
    name: 'strings are cut at 64 characters',
    fault: whenWritten(strings((text) => (text.startsWith('urn:') ? text : text.slice(0, 64)))),
    finds: ['stored.texts'],
  },
  {
    name: 'line breaks become blanks',
    fault: whenWritten(strings((text) => text.replaceAll(/[\r\n]/g, ' '))),
    finds: ['stored.texts'],
  },
  {
    name: 'a backslash in a filter is an escape',
    fault: filteredBy(
      compared((one) =>
        typeof one.value === 'string' ? { ...one, value: one.value.replaceAll('\\', '') } : one,
      ),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'a value of more than 100 characters matches nothing',
    fault: filteredBy(
      compared((one) => (String(one.value).length > 100 ? { ...one, value: 'none of them' } : one)),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'names that differ in the case of letters beyond ASCII are not the same',
    fault: ({ store, database, name }) => ({
      create: async (resource, context, request) => {
        const fold = (value: unknown): string =>
          String(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        const isTaken = database.rows.some(
          (row) =>
            row.type === name &&
            row.tenant === context.tenant &&
            fold(row.resource['userName']) === fold(resource['userName']),
        )
        if (isTaken) throw conflict()
        const placeholder = { ...resource, userName: `placeholder ${database.nextId}` }
        const created = { ...(await store.create(placeholder, context, request)) }
        const stored = { ...created, userName: resource['userName'] }
        database.rows = database.rows.map((row) =>
          row.resource['id'] === created['id'] ? { ...row, resource: stored } : row,
        )
        return stored
      },
    }),
    finds: ['stored.unique-alphabets'],
  },
  {
    name: 'decimals are rounded to one digit',
    types: ['Sensor'],
    fault: whenWritten((resource) =>
      mapped(resource, (value) =>
        typeof value === 'number' ? Math.round(value * 10) / 10 : value,
      ),
    ),
    finds: [
      'stored.create',
      'stored.patch-replace',
      'stored.patch-add',
      'stored.patch-members',
      'races.create',
    ],
  },
  {
    name: 'the milliseconds of instants are lost',
    types: ['Sensor'],
    fault: whenWritten(strings((text) => text.replace(/(T\d\d:\d\d:\d\d)\.\d+/, '$1'))),
    finds: [
      'stored.create',
      'stored.patch-replace',
      'stored.patch-add',
      'stored.patch-members',
      'races.create',
    ],
  },
]

/** Compares the strings of a filter, and those of the resources, in another form. */
function comparedAs(fold: (text: string) => string): Fault {
  return ({ store, definitions }) => ({
    list: async (context, request) => {
      const answer = await store.list(context, request)
      if (request.filter === null) return answer
      const filter = compared((one) =>
        typeof one.value === 'string' ? { ...one, value: fold(one.value) } : one,
      )(request.filter)
      const matches = unwrap(compileFilter(filter, { definitions }))
      const resources = answer.resources.map(wire).filter((one) => matches(strings(fold)(one)))
      return { resources, applied: ['filter'] }
    },
  })
}

/** A version of the attributes that are not in an extension. */
function withCoreVersion(resource: WireResource): WireResource {
  const core = Object.entries(resource).filter(
    ([name]) => !name.startsWith('urn:') && name !== 'meta' && name !== 'schemas',
  )
  const digest = [...JSON.stringify(core)].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 4_294_967_291,
    7,
  )
  return { ...resource, meta: { ...Object(resource['meta']), version: `W/"${digest}"` } }
}

type Values = readonly Readonly<Record<string, unknown>>[]

/** Changes the lists of complex values that are not members. */
function lists(change: (values: Values) => Values): (resource: WireResource) => WireResource {
  return (resource) =>
    Object.fromEntries(
      Object.entries(resource).map(([name, value]) => [
        name,
        Array.isArray(value) && typeof value[0] === 'object' && name !== 'members'
          ? change(value)
          : value,
      ]),
    )
}

/** The values of which no two have the same key. */
function distinct(values: Values, keyOf: (value: Values[number]) => unknown): Values {
  return values.filter((value, at) => values.findIndex((one) => keyOf(one) === keyOf(value)) === at)
}

function strings(change: (text: string) => string): (resource: WireResource) => WireResource {
  return (resource) =>
    mapped(resource, (value) => (typeof value === 'string' ? change(value) : value))
}

/** Changes every value in a resource. */
function mapped(
  resource: WireResource,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return change(value)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one)]))
  }
  return Object.fromEntries(Object.entries(resource).map(([name, one]) => [name, visit(one)]))
}

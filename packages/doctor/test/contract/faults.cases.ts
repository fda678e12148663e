import { compareResources, RawJson, ScimError } from '@plumbline/scim'
import { type ListRequest, PreparedResource, type WireResource } from '@plumbline/scim/endpoint'
import { DATABASE_FAULT_CASES } from './database-faults.cases.ts'
import { DRIVER_FAULT_CASES } from './driver-faults.cases.ts'
import type { FaultCase } from './fault-case.ts'
import {
  asStrings,
  cachesLists,
  compared,
  conflict,
  cursorsAfter,
  exact,
  exactPage,
  type Fault,
  filteredBy,
  paged,
  pause,
  redefined,
  sortedBy,
  spread,
  stringIf,
  stringifyOf,
  threeValued,
  whenListed,
  whenRead,
  whenReplaced,
  whenViewed,
  whenWritten,
  wholeRequest,
  wire,
  without,
} from './faults.ts'
import { changesMembers, planned } from './member-faults.ts'
import { createStore, inTurn, type Row, rolledBack, type Transaction } from './memory.ts'

type Values = readonly Readonly<Record<string, unknown>>[]

const list = (value: unknown): Values => (Array.isArray(value) ? value : [])
const runs: Transaction = (context, work) => work(context)

export const FAULT_CASES: readonly FaultCase[] = [
  {
    name: 'an attribute that the definitions declare is dropped',
    types: ['Sensor'],
    fault: whenWritten(without('voltage')),
    finds: [
      'stored.create',
      'stored.patch-replace',
      'stored.patch-add',
      'stored.patch-members',
      'races.create',
    ],
  },
  {
    name: 'create returns the id of another resource',
    isTogether: true,
    types: ['Sensor'],
    fault: ({ store }) => ({
      create: async (...call) => ({ ...(await store.create(...call)), id: 'sensor-1' }),
    }),
    finds: [
      'stored.ids',
      'stored.create',
      'stored.minimal',
      'stored.responses',
      'stored.texts',
      'stored.clear',
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'stored.patch-lists',
      'stored.unique-deleted',
      'declared.excluded',
      'declared.deleted',
      'declared.others',
      'declared.filters',
      'declared.filters-missing',
      'declared.filters-exact',
      'declared.unreturned',
      'declared.sorting',
      'declared.lists',
      'declared.pages',
      'declared.cursors',
      'declared.stable',
      'declared.versions',
      'declared.version-attributes',
      'declared.if-match',
      'declared.dates',
      'declared.last-modified',
      'transactions.change',
      'races.create',
      'races.versions',
      'races.others',
      'tenants.list',
      'tenants.write',
    ],
  },
  {
    name: 'the id of the newest resource is given again after its deletion',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      create: async (...call) => {
        const numbers = database.rows.map(({ resource }) => String(resource['id']).split('-')[1])
        database.nextId = Math.max(0, ...numbers.map(Number)) + 1
        return store.create(...call)
      },
    }),
    finds: ['stored.ids', 'stored.unique-deleted'],
  },
  {
    name: 'create returns the resource without its values',
    types: ['Sensor'],
    fault: ({ store }) => ({
      create: async (...call) => without('displayName', 'place')(await store.create(...call)),
    }),
    finds: ['stored.responses', 'declared.versions', 'races.create'],
  },
  {
    name: 'create returns the row that was inserted last',
    types: ['User'],
    fault: ({ store, database }) => ({
      create: async (...call) => {
        const created = await store.create(...call)
        await pause()
        return database.rows.at(-1)?.resource ?? created
      },
    }),
    transaction: () => undefined,
    finds: ['races.create'],
  },
  {
    name: 'a resource without optional attributes is rejected',
    types: ['Sensor'],
    fault: whenWritten((resource) => {
      if (Object.keys(resource).length < 4) throw new Error('NOT NULL: place')
      return resource
    }),
    finds: [
      'stored.minimal',
      'stored.replace',
      'stored.clear',
      'stored.patch-members',
      'tenants.unique',
    ],
  },
  {
    name: 'strings are trimmed',
    types: ['Sensor'],
    fault: whenWritten((resource) =>
      Object.fromEntries(
        Object.entries(resource).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.trim() : value,
        ]),
      ),
    ),
    finds: ['stored.texts'],
  },
  {
    name: 'replace ignores an attribute',
    fault: whenReplaced((resource, current) => ({
      ...resource,
      ...pick(current, 'active', 'on', 'userType'),
    })),
    finds: ['stored.clear', 'stored.patch-replace', 'stored.patch-remove', 'stored.patch-members'],
  },
  {
    name: 'replace returns the resource before the change',
    types: ['Sensor'],
    fault: ({ store }) => ({
      replace: async (id, resource, context, request) => {
        await store.replace(id, resource, context, request)
        return request.current
      },
    }),
    finds: ['stored.responses', 'declared.versions', 'races.versions', 'races.others'],
  },
  {
    name: 'replace keeps what the request leaves out',
    types: ['Sensor'],
    fault: whenReplaced((resource, current) => ({ ...current, ...resource })),
    finds: ['stored.clear', 'stored.patch-remove', 'stored.patch-lists'],
  },
  {
    name: 'a PATCH of the value of an email by its type changes nothing',
    fault: whenReplaced((resource, current) => {
      const emails = list(resource['emails']).map((email) => {
        const old = list(current['emails']).find(({ type }) => type === email['type'])
        return old ? { ...email, value: old['value'] } : email
      })
      return emails.length > 0 ? { ...resource, emails } : resource
    }),
    finds: ['stored.patch-lists', 'stored.patch-parts'],
  },
  {
    name: 'values that are gone from a list stay',
    fault: whenReplaced((resource, current) => {
      const [old, next] = [list(current['phoneNumbers']), list(resource['phoneNumbers'])]
      const types = new Set(next.map(({ type }) => type))
      const kept = [...next, ...old.filter(({ type }) => !types.has(type))]
      return kept.length > 0 ? { ...resource, phoneNumbers: kept } : resource
    }),
    finds: ['stored.clear', 'stored.patch-lists', 'stored.patch-selected'],
  },
  {
    name: 'an id of another form is an error',
    types: ['Sensor'],
    fault: ({ store }) => ({
      read: async (id, ...call) => {
        if (/\D/.test(id.replace(/^\w+-/, ''))) throw new Error('invalid input syntax')
        return store.read(id, ...call)
      },
    }),
    finds: ['declared.unknown'],
  },
  {
    name: 'replace creates a resource that does not exist',
    fault: ({ store }) => ({
      read: async (id, context, request) =>
        (await store.read(id, context, request)) ??
        (request.isForUpdate && /^\d/.test(id) ? { id, userName: 'none' } : null),
      replace: async (id, resource, context, request) =>
        (await store.replace(id, resource, context, request)) ?? { ...resource, id },
    }),
    finds: ['declared.unknown'],
  },
  {
    name: 'deleted resources stay in lists',
    isTogether: true,
    types: ['Sensor'],
    fault: ({ store, database, name }) => {
      const deleted: WireResource[] = []
      return {
        delete: async (id, ...call) => {
          const row = database.rows.find(({ resource }) => resource['id'] === id)
          if (row?.type === name) deleted.push(row.resource)
          return store.delete(id, ...call)
        },
        list: async (...call) => {
          const answer = await store.list(...call)
          return { ...answer, resources: [...answer.resources, ...deleted] }
        },
      }
    },
    finds: ['declared.deleted', 'tenants.list'],
  },
  {
    name: 'delete answers true for a resource that does not exist',
    types: ['Sensor'],
    fault: ({ store }) => ({
      read: async (id, context, request) =>
        (await store.read(id, context, request)) ?? (request.isForUpdate ? { id } : null),
      delete: async (...call) => {
        await store.delete(...call)
        return true
      },
    }),
    finds: ['declared.unknown', 'declared.deleted', 'tenants.write'],
  },
  {
    name: 'delete removes the members of every group',
    types: ['Group'],
    fault: ({ store, database }) => ({
      delete: async (id, ...call) => {
        const { resource } = database.rows.find((row) => row.resource['id'] === id) ?? {}
        const isDeleted = await store.delete(id, ...call)
        if (resource?.['members'] === undefined) return isDeleted
        database.rows = database.rows.map((row) => {
          const { members: _, ...others } = row.resource
          return { ...row, resource: others }
        })
        return isDeleted
      },
    }),
    finds: ['declared.others'],
  },
  // Unique attributes.
  {
    name: 'nothing is unique',
    fault: ({ store, database, name }) => ({
      create: async (body, context) => {
        const id = `${name}-${database.nextId++}`
        const resource = { ...body, id }
        const row = { tenant: context.tenant, type: name, resource }
        database.rows = [...database.rows, row]
        return resource
      },
      replace: async (id, body, context, request) => {
        const old = await store.read(id, context, wholeRequest(request))
        if (old === null) return null
        const resource = { ...body, id }
        database.rows = database.rows.map((row) =>
          row.resource === old ? { ...row, resource } : row,
        )
        return resource
      },
    }),
    finds: ['stored.unique', 'races.unique'],
  },
  {
    name: 'a value that is taken is an error without a scimType',
    fault: ({ store }) => ({
      create: async (...call) => {
        try {
          return await store.create(...call)
        } catch {
          throw new ScimError(409, 'the value is taken')
        }
      },
    }),
    finds: ['stored.unique'],
  },
  {
    name: 'unique values are compared with regard to letter case',
    fault: ({ database, definitions, name }) => createStore(database, name, exact(definitions)),
    finds: ['stored.unique-letter-case', 'races.unique'],
  },
  {
    name: 'replace does not check that values are unique',
    fault: ({ store, database }) => ({
      replace: async (id, body, context, request) => {
        const old = await store.read(id, context, wholeRequest(request))
        if (old === null) return null
        const resource = { ...body, id, meta: wire(old)['meta'] }
        database.rows = database.rows.map((row) =>
          row.resource === old ? { ...row, resource } : row,
        )
        return resource
      },
    }),
    finds: ['stored.unique-change'],
  },
  {
    name: 'a resource conflicts with itself',
    fault: ({ store, database }) => ({
      replace: async (id, resource, context, request) => {
        const key = String(resource['userName']).toLowerCase()
        const isTaken = database.rows.some(
          (row) =>
            row.resource['userName'] !== resource['userName'] &&
            String(row.resource['userName']).toLowerCase() === key,
        )
        if (isTaken && 'userName' in resource) throw conflict()
        return store.replace(id, resource, context, request)
      },
    }),
    finds: ['stored.unique-own'],
  },
  {
    name: 'deleted resources keep their unique values',
    fault: ({ store }) => {
      const used = new Set<string>()
      return {
        create: async (resource, ...call) => {
          const key = String(resource['userName'] ?? resource['serial']).toLowerCase()
          if (used.has(key) && key !== 'undefined') throw conflict()
          const created = await store.create(resource, ...call)
          used.add(key)
          return created
        },
      }
    },
    finds: ['stored.unique-deleted', 'transactions.create', 'tenants.unique'],
  },
  {
    name: 'uniqueness is checked before the insert',
    fault: ({ store, database }) => ({
      create: (resource, context, request) => {
        const { rows } = database
        const created = store.create(resource, context, request)
        const row = database.rows.at(-1)
        database.rows = rows
        return created.then(async (result) => {
          await pause()
          database.rows = row === undefined ? rows : [...database.rows, row]
          return result
        })
      },
    }),
    transaction: () => undefined,
    finds: ['races.unique'],
  },
  {
    name: 'a create fails while another one runs',
    fault: ({ store }) => {
      let running = 0
      return {
        create: async (...call) => {
          if (running > 0) throw new Error('database is locked')
          running += 1
          await pause()
          running -= 1
          return await store.create(...call)
        },
      }
    },
    transaction: () => undefined,
    finds: ['races.create', 'races.unique'],
  },
  // Lists.
  {
    name: 'the values of lists are not listed',
    types: ['Sensor'],
    fault: ({ store }) => ({
      list: async (...call) => {
        const answer = await store.list(...call)
        return {
          ...answer,
          resources: answer.resources.map((one) => without('emails', 'tags')(wire(one))),
        }
      },
    }),
    finds: ['declared.filters', 'declared.filters-missing', 'declared.lists'],
  },
  {
    name: 'totalResults is the length of the page',
    types: ['Sensor'],
    fault: paged(exactPage, (_, page) => page.length),
    finds: ['declared.pages', 'declared.cursors'],
  },
  {
    name: 'after the last page, totalResults is 0',
    types: ['Sensor'],
    fault: paged(exactPage, (all, page, { count }) =>
      page.length === 0 && count > 0 ? 0 : all.length,
    ),
    finds: ['declared.pages'],
  },
  {
    name: 'a page after the last is the last',
    types: ['Sensor'],
    fault: paged(
      (all, { startIndex, count }) =>
        startIndex > all.length ? all.slice(-count) : exactPage(all, { startIndex, count }),
      (all) => all.length,
    ),
    finds: ['declared.pages'],
  },
  {
    name: 'the first page is from 0',
    types: ['Sensor'],
    fault: paged(
      (all, { startIndex, count }) => all.slice(Math.max(startIndex - 2, 0)).slice(0, count),
      (all) => all.length,
    ),
    finds: ['declared.pages', 'declared.cursors'],
  },
  {
    name: 'the order of each query is another',
    types: ['Sensor'],
    fault: (parts) => {
      let calls = 0
      return whenListed(({ resources }) => {
        calls += 1
        const at = calls % Math.max(resources.length, 1)
        return [...resources.slice(at), ...resources.slice(0, at)]
      })(parts)
    },
    finds: ['declared.pages', 'declared.stable'],
  },
  {
    name: 'a change moves a resource to the end of the list',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      replace: async (id, ...call) => {
        const replaced = await store.replace(id, ...call)
        const isMoved = (row: Row): boolean => row.resource['id'] === id
        const { rows } = database
        database.rows = [...rows.filter((row) => !isMoved(row)), ...rows.filter(isMoved)]
        return replaced
      },
    }),
    finds: ['declared.stable'],
  },
  {
    name: 'the next page by cursor begins one resource too late',
    types: ['Sensor'],
    fault: cursorsAfter(1),
    finds: ['declared.cursors'],
  },
  // Filters.
  {
    name: 'filters compare with regard to letter case',
    fault: filteredBy((same) => same, exact),
    finds: ['declared.filters'],
  },
  {
    name: 'filters compare without regard to letter case',
    types: ['Sensor'],
    fault: filteredBy(
      (same) => same,
      redefined((one) => (one.caseExact ? { ...one, caseExact: false } : one)),
    ),
    finds: ['declared.filters'],
  },
  {
    name: 'an attribute in another letter case is not found by a filter',
    fault: filteredBy(
      compared((one) => (one.path.attribute === 'USERNAME' ? { ...one, value: 'no name' } : one)),
    ),
    finds: ['filters.name-case'],
  },
  {
    name: 'precedence is changed for three operands',
    fault: filteredBy((filter) =>
      filter.type === 'logical' &&
      filter.operator === 'or' &&
      filter.operands[1]?.type === 'logical'
        ? { ...filter, operator: 'and' }
        : filter,
    ),
    finds: ['filters.precedence'],
  },
  {
    name: 'a percent sign in a filter is a wildcard',
    types: ['Sensor'],
    fault: filteredBy(
      compared((one) =>
        one.operator === 'sw' && typeof one.value === 'string' && one.value.endsWith('%')
          ? { ...one, value: one.value.slice(0, -1) }
          : one,
      ),
    ),
    finds: ['declared.filters-exact'],
  },
  {
    name: 'ne does not match a missing value',
    types: ['Sensor'],
    fault: filteredBy(
      compared((one) =>
        one.operator === 'ne' && one.value !== null
          ? {
              type: 'logical',
              operator: 'and',
              operands: [one, { type: 'present', path: one.path }],
            }
          : one,
      ),
    ),
    finds: ['declared.filters-missing'],
  },
  {
    name: 'le of a number is lt',
    types: ['Sensor'],
    fault: filteredBy(
      compared((one) =>
        one.operator === 'le' && typeof one.value === 'number' ? { ...one, operator: 'lt' } : one,
      ),
    ),
    finds: ['declared.filters'],
  },
  {
    name: 'instants are compared as strings',
    types: ['Sensor'],
    fault: filteredBy((same) => same, asStrings('dateTime')),
    finds: ['declared.filters'],
  },
  {
    name: 'a missing boolean is false in a filter',
    types: ['Sensor'],
    fault: filteredBy(
      compared((one) =>
        one.operator === 'eq' && one.value === false
          ? { ...one, operator: 'ne', value: true }
          : one,
      ),
    ),
    finds: ['declared.filters'],
  },
  {
    name: 'binary values are compared without regard to letter case',
    types: ['Sensor'],
    fault: filteredBy((same) => same, asStrings('binary')),
    finds: ['declared.filters'],
  },
  {
    name: 'the conditions of a value path may match different values',
    fault: filteredBy(spread),
    finds: ['declared.filters'],
  },
  {
    name: 'not of a missing value is not true',
    types: ['Sensor'],
    fault: filteredBy(threeValued),
    finds: ['declared.filters'],
  },
  // Sorting.
  {
    name: 'lists are sorted by code point',
    fault: sortedBy((one) => ({ ...one, caseExact: true })),
    finds: ['declared.sorting', 'sorting.ascending', 'sorting.letter-case'],
  },
  {
    name: 'lists are sorted descending by an attribute in another letter case',
    fault: ({ store, definitions }) => ({
      list: async (context, request) => {
        const { resources } = await store.list(context, { ...request, filter: null })
        const { sortBy, sortOrder } = request
        if (sortBy === null || request.filter !== null) return store.list(context, request)
        const order = sortBy === 'USERTYPE' ? 'descending' : sortOrder
        const sorted = resources
          .map(wire)
          .sort(compareResources({ sortBy, sortOrder: order }, definitions))
        return { resources: sorted, applied: ['sort'] }
      },
    }),
    finds: ['declared.sorting'],
  },
  {
    name: 'lists are sorted without regard to letter case',
    types: ['Sensor'],
    fault: sortedBy((one) => ({ ...one, caseExact: false })),
    finds: ['declared.sorting'],
  },
  {
    name: 'numbers are sorted as strings',
    types: ['Sensor'],
    fault: sortedBy(stringIf('integer')),
    finds: ['declared.sorting'],
  },
  {
    name: 'instants are sorted as strings',
    types: ['Sensor'],
    fault: sortedBy(stringIf('dateTime')),
    finds: ['declared.sorting'],
  },
  {
    name: 'true is sorted before false',
    types: ['Sensor'],
    fault: ({ store, definitions }) => ({
      list: async (context, request) => {
        const { resources } = await store.list(context, request)
        const { sortBy, filter } = request
        if (sortBy !== 'active' && sortBy !== 'on') return { resources }
        if (filter !== null) return { resources }
        const sortOrder = request.sortOrder === 'ascending' ? 'descending' : 'ascending'
        const order = compareResources({ sortBy, sortOrder }, definitions)
        return { resources: resources.map(wire).sort(order), applied: ['filter', 'sort'] }
      },
    }),
    finds: ['declared.sorting'],
  },
  // Projection.
  {
    name: 'an attribute that the client names is omitted',
    fault: whenViewed(({ attributes }) => (attributes?.includes('active') ? ['active'] : [])),
    finds: ['declared.attributes'],
  },
  {
    name: 'another attribute than the excluded one is omitted, too',
    fault: whenViewed(({ excludedAttributes }) =>
      excludedAttributes?.includes('active') ? ['displayName'] : [],
    ),
    finds: ['declared.excluded'],
  },
  {
    name: 'an attribute of the filter is omitted if the client does not want it',
    types: ['Sensor'],
    fault: ({ store }) => ({
      list: async (context, request) => {
        const answer = await store.list(context, request)
        if (!request.view.attributes?.includes('id')) return answer
        return {
          resources: answer.resources.map((one) => without('displayName', 'label')(wire(one))),
        }
      },
    }),
    finds: ['declared.unreturned'],
  },
  {
    name: 'a prepared resource contains the password',
    fault: ({ store }) => ({
      read: async (id, context, request) => {
        const found = await store.read(id, context, request)
        if (found === null || request.isForUpdate || wire(found)['password'] === undefined)
          return found
        const body = new RawJson(JSON.stringify({ schemas: [], ...found }))
        return new PreparedResource({ body, version: 'W/"1"' })
      },
    }),
    finds: ['projection.never'],
  },
  // Versions.
  {
    name: 'the version is that of the creation',
    types: ['Sensor'],
    fault: whenRead((resource) => ({ ...resource, meta: { version: 'W/"1"' } })),
    finds: ['declared.versions', 'declared.version-attributes', 'declared.if-match'],
  },
  {
    name: 'created is the time of the last change',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      replace: async (id, ...call) => {
        const replaced = await store.replace(id, ...call)
        const meta = { created: '2027-01-01T00:00:00Z', lastModified: '2027-01-01T00:00:00Z' }
        database.rows = database.rows.map((row) =>
          row.resource === replaced ? { ...row, resource: { ...replaced, meta } } : row,
        )
        return replaced && { ...replaced, meta }
      },
    }),
    finds: ['declared.dates'],
  },
  {
    name: 'transactions do not isolate',
    types: ['User', 'Group'],
    fault: ({ store }) => ({
      read: async (...call) => {
        const found = await store.read(...call)
        await pause()
        return found
      },
    }),
    transaction: (database) => rolledBack(database, runs),
    // The checks of races by `examine` find it, too; their reports differ in the order of the requests.
    finds: ['races.versions'],
  },
  {
    name: 'transactions are not rolled back',
    types: ['User', 'Group'],
    fault: () => ({}),
    transaction: () => inTurn(runs),
    finds: ['transactions.create', 'transactions.change', 'transactions.members'],
  },
  // Members.
  {
    name: 'a group has at most 100 members',
    types: ['User', 'Group'],
    fault: whenWritten((resource) =>
      resource['members']
        ? { ...resource, members: list(resource['members']).slice(0, 100) }
        : resource,
    ),
    finds: ['groups.large'],
  },
  {
    name: 'the members of a group are those of the last request',
    types: ['User', 'Group'],
    fault: ({ store, name }) =>
      name !== 'Group'
        ? {}
        : changesMembers(
            store,
            (members, { add, replace }) => replace ?? (add.length > 0 ? add : members),
          ),
    finds: ['groups.add-member', 'groups.remove-member'],
  },
  {
    name: 'a member is inserted twice',
    types: ['User', 'Group'],
    fault: ({ store, name }) =>
      name !== 'Group'
        ? {}
        : changesMembers(
            store,
            (members, { add, remove, replace }) =>
              replace ?? [...members.filter(({ value }) => !remove.has(String(value))), ...add],
          ),
    finds: ['groups.add-member-twice'],
  },
  {
    name: 'a change of members ignores the other attributes',
    types: ['User', 'Group'],
    fault: ({ store, name }) =>
      name !== 'Group' ? {} : changesMembers(store, planned, { ignoresResource: true }),
    finds: [
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'groups.rename',
      'groups.rename-with-member',
    ],
  },
  {
    name: 'a change of members is not part of the transaction',
    types: ['Group'],
    fault: ({ store, name }) =>
      name !== 'Group' ? {} : changesMembers(store, planned, { isLate: true }),
    finds: ['stored.patch-replace', 'stored.patch-remove', 'stored.patch-members'],
  },
  {
    name: 'a deleted user stays in its groups',
    types: ['User', 'Group'],
    fault: ({ database }) => ({
      delete: async (id, { tenant }) => {
        const { length } = database.rows
        database.rows = database.rows.filter(
          (row) => row.resource['id'] !== id || row.tenant !== tenant,
        )
        return database.rows.length < length
      },
    }),
    finds: ['groups.deleted-user', 'groups.deleted-nested'],
  },
  {
    name: 'a deleted group stays in other groups',
    types: ['User', 'Group'],
    fault: ({ store, database, name }) => ({
      delete: async (id, context, ...rest) => {
        if (name === 'User') return store.delete(id, context, ...rest)
        const { length } = database.rows
        database.rows = database.rows.filter(
          (row) => row.resource['id'] !== id || row.tenant !== context.tenant,
        )
        return database.rows.length < length
      },
    }),
    finds: ['groups.deleted-nested'],
  },
  {
    name: 'lists are cached until a resource is created or deleted',
    types: ['Sensor'],
    fault: cachesLists(() => true),
    finds: ['declared.lists-after-changes'],
  },
  {
    name: 'a look-up by userName is cached until a user is created or deleted',
    fault: cachesLists(({ filter }) => stringifyOf(filter).startsWith('userName eq')),
    finds: ['filters.renamed'],
  },
  {
    name: 'a filter by members selects every group that has members',
    types: ['User', 'Group'],
    fault: ({ store, name }) => ({
      list: async (context, request) => {
        const answer = await store.list(context, request)
        if (name !== 'Group' || !stringifyOf(request.filter).includes('members')) return answer
        return {
          resources: answer.resources.filter((one) => 'members' in one),
          applied: ['filter'],
        }
      },
    }),
    finds: ['groups.user-leaves', 'groups.filter-members'],
  },
  {
    name: 'members can be added to a deleted group',
    types: ['User', 'Group'],
    fault: ({ store, name }) =>
      name !== 'Group'
        ? {}
        : {
            read: async (id, context, request) =>
              (await store.read(id, context, request)) ??
              (request.isForUpdate && /^group-/.test(id) ? { id, displayName: 'gone' } : null),
            replace: async (id, resource, context, request) =>
              (await store.replace(id, resource, context, request)) ?? { ...resource, id },
          },
    finds: ['declared.deleted', 'declared.ids', 'tenants.write'],
  },
  {
    name: 'changes of members are rejected',
    types: ['User', 'Group'],
    fault: ({ store, name }) =>
      name !== 'Group'
        ? {}
        : {
            ...changesMembers(store, planned),
            changeMembers: async () => Promise.reject(new ScimError(400, 'no changes')),
          },
    finds: [
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'transactions.members',
    ],
  },
  // Tenants.
  {
    name: 'read ignores the tenant',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      read: async (id, context, request) =>
        database.rows.find(({ resource }) => resource['id'] === id && !request.isForUpdate)
          ?.resource ?? store.read(id, context, request),
    }),
    finds: ['tenants.read'],
  },
  {
    name: 'list ignores the tenant',
    types: ['Sensor'],
    fault: ({ database, name }) => ({
      list: async () => ({
        resources: database.rows
          .filter(({ type }) => type === name)
          .map(({ resource }) => resource),
      }),
    }),
    finds: ['tenants.list'],
  },
  {
    name: 'list ignores the tenant, and counts nothing',
    types: ['Sensor'],
    fault: ({ store, database, name }) => ({
      list: async (context, request) =>
        context.tenant === 'a'
          ? await store.list(context, request)
          : {
              totalResults: 0,
              applied: ['filter', 'sort', 'page'],
              resources: database.rows
                .filter(({ type }) => type === name)
                .map(({ resource }) => resource),
            },
    }),
    finds: ['tenants.list'],
  },
  {
    name: 'delete ignores the tenant',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      delete: async (id, ...call) => {
        const row = database.rows.find(({ resource }) => resource['id'] === id)
        if (row === undefined) return false
        await store.delete(id, ...call)
        database.rows = database.rows.filter((one) => one !== row)
        return true
      },
    }),
    finds: ['tenants.write'],
  },
  // Functions that fail.
  {
    name: 'list throws',
    types: ['Sensor'],
    fault: ({ store }) => ({
      list: async (context, request) => {
        // The contract starts with a list of the new store.
        const answer = await store.list(context, request)
        if (answer.resources.length > 0) throw new Error('no list')
        return answer
      },
    }),
    finds: [
      'declared.attributes',
      'declared.deleted',
      'declared.filters',
      'declared.filters-missing',
      'declared.filters-exact',
      'declared.unreturned',
      'declared.sorting',
      'declared.lists',
      'declared.pages',
      'declared.cursors',
      'declared.stable',
    ],
  },
  {
    name: 'list throws for a filter',
    types: ['Sensor'],
    fault: failsToList(({ filter }) => filter !== null),
    finds: ['tenants.list'],
  },
  {
    name: 'list throws for an order',
    types: ['Sensor'],
    fault: failsToList(({ sortBy }) => sortBy !== null),
    finds: ['declared.unreturned', 'declared.sorting'],
  },
  {
    name: 'list throws for a page after the first',
    types: ['Sensor'],
    fault: failsToList(({ startIndex }) => startIndex > 1),
    finds: ['declared.pages'],
  },
  {
    name: 'list throws for some of the attributes',
    types: ['Sensor'],
    fault: failsToList(({ view }) => view.attributes !== undefined),
    finds: ['declared.attributes', 'declared.unreturned'],
  },
  {
    name: 'read throws',
    types: ['Sensor'],
    fault: ({ store }) => ({
      read: async (id, context, request) => {
        if (!request.isForUpdate) throw new Error('no read')
        return store.read(id, context, request)
      },
    }),
    finds: [
      'stored.create',
      'stored.minimal',
      'stored.responses',
      'stored.texts',
      'stored.clear',
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'stored.patch-lists',
      'declared.attributes',
      'declared.excluded',
      'declared.unknown',
      'declared.deleted',
      'declared.others',
      'declared.filters',
      'declared.filters-missing',
      'declared.filters-exact',
      'declared.unreturned',
      'declared.sorting',
      'declared.lists',
      'declared.pages',
      'declared.cursors',
      'declared.stable',
      'declared.versions',
      'declared.version-attributes',
      'declared.if-match',
      'declared.dates',
      'declared.last-modified',
      'transactions.change',
      'races.create',
      'races.versions',
      'races.others',
      'tenants.read',
      'tenants.list',
      'tenants.write',
    ],
  },
  {
    name: 'read throws for some of the attributes',
    types: ['Sensor'],
    fault: ({ store }) => ({
      read: async (id, context, request) => {
        const { attributes, excludedAttributes } = request.view
        const isPart = attributes?.length === 1 || excludedAttributes !== undefined
        if (isPart && !request.isForUpdate) throw new Error('no part')
        return store.read(id, context, request)
      },
    }),
    finds: ['declared.attributes', 'declared.excluded'],
  },
  {
    name: 'replace throws',
    types: ['Sensor'],
    fault: () => ({
      replace: async () => {
        throw new Error('no replace')
      },
    }),
    finds: [
      'stored.responses',
      'stored.replace',
      'stored.clear',
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'stored.patch-lists',
      'declared.others',
      'declared.stable',
      'declared.versions',
      'declared.if-match',
      'declared.dates',
      'declared.last-modified',
      'declared.lists-after-changes',
      'races.versions',
      'races.others',
    ],
  },
  {
    name: 'delete throws',
    isTogether: true,
    types: ['Sensor'],
    fault: () => ({
      delete: async () => {
        throw new Error('no delete')
      },
    }),
    finds: [
      'stored.ids',
      'stored.unique-deleted',
      'declared.unknown',
      'declared.deleted',
      'declared.others',
      'tenants.list',
      'tenants.write',
    ],
  },
  // Facts that only one assertion of a check finds.
  {
    name: 'the last resource is not listed',
    types: ['Sensor'],
    fault: whenListed(({ resources }) => resources.slice(0, -1)),
    finds: [
      'declared.filters',
      'declared.filters-missing',
      'declared.filters-exact',
      'declared.unreturned',
      'declared.sorting',
      'declared.lists',
    ],
  },
  {
    name: 'resources without a value are not in a sorted list',
    types: ['Sensor'],
    fault: whenListed(({ resources, request: { sortBy, filter } }) =>
      sortBy === null || filter !== null
        ? resources
        : resources.filter((one) => sortBy.includes('.') || sortBy in one),
    ),
    finds: ['declared.sorting'],
  },
  {
    name: 'replace returns the id of another resource',
    types: ['Sensor'],
    fault: ({ store }) => ({
      replace: async (...call) => {
        const replaced = await store.replace(...call)
        return replaced && { ...replaced, id: 'sensor-x' }
      },
    }),
    finds: [
      'stored.responses',
      'stored.replace',
      'stored.clear',
      'stored.patch-replace',
      'stored.patch-remove',
      'stored.patch-members',
      'stored.patch-lists',
      'declared.others',
      'declared.stable',
      'declared.versions',
      'declared.if-match',
      'declared.dates',
      'declared.last-modified',
      'declared.lists-after-changes',
      'races.versions',
      'races.others',
    ],
  },
  {
    name: 'a change of a resource that does not exist stores one',
    types: ['Sensor'],
    fault: ({ store, database, name }) => ({
      read: async (id, context, request) => {
        const found = await store.read(id, context, request)
        const resource = { id: `${name}-new`, label: 'new' }
        const isWritten = request.isForUpdate && id === '99999999999999999999'
        if (isWritten) database.rows = [...database.rows, { ...context, type: name, resource }]
        return found
      },
    }),
    transaction: () => inTurn(runs),
    finds: ['declared.unknown', 'transactions.create', 'transactions.change'],
  },
  {
    name: 'a change that conflicts is stored',
    fault: ({ store, database }) => ({
      replace: async (id, resource, context, request) => {
        const { rows } = database
        return await store.replace(id, resource, context, request).catch((error: unknown) => {
          database.rows = rows.map((row) =>
            row.resource['id'] === id
              ? { ...row, resource: { ...row.resource, ...resource } }
              : row,
          )
          throw error
        })
      },
    }),
    transaction: () => inTurn(runs),
    finds: ['stored.unique-change', 'transactions.create', 'transactions.change'],
  },
  {
    name: 'a change of letter case is not stored',
    fault: whenReplaced((resource, current) => {
      const [next, old] = [resource['userName'], current['userName']]
      const isSame = String(next).toLowerCase() === String(old).toLowerCase()
      return isSame ? { ...resource, userName: old } : resource
    }),
    finds: ['stored.unique-own'],
  },
  {
    name: 'each read has another version',
    types: ['Sensor'],
    fault: (parts) => {
      let reads = 0
      return whenRead((resource) => {
        reads += 1
        return { ...resource, meta: { ...Object(resource['meta']), version: `W/"${reads}"` } }
      })(parts)
    },
    finds: ['declared.versions', 'declared.if-match'],
  },
  {
    name: 'a change sets lastModified back',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      replace: async (id, ...call) => {
        const replaced = await store.replace(id, ...call)
        if (replaced === null) return null
        const { meta: old } = wire(replaced)
        const meta = { ...Object(old), lastModified: '2001-01-01T00:00:00Z' }
        database.rows = database.rows.map((row) =>
          row.resource === replaced ? { ...row, resource: { ...replaced, meta } } : row,
        )
        return { ...replaced, meta }
      },
    }),
    finds: ['declared.dates', 'declared.last-modified'],
  },
  {
    name: 'a read before a change changes the resource',
    types: ['Sensor'],
    fault: ({ store, database }) => ({
      read: async (id, context, request) => {
        const found = await store.read(id, context, request)
        if (found === null || !request.isForUpdate) return found
        const resource = without('voltage')(wire(found))
        database.rows = database.rows.map((row) =>
          row.resource === found ? { ...row, resource } : row,
        )
        return found
      },
    }),
    transaction: () => inTurn(runs),
    finds: ['declared.if-match', 'transactions.create', 'transactions.change'],
  },
  {
    name: 'the resources of other tenants are counted',
    types: ['Sensor'],
    fault: ({ store, database, name }) => ({
      list: async (context, request) => {
        const { resources } = await store.list(context, request)
        const all = database.rows.filter(({ type }) => type === name)
        return resources.length > 0
          ? { resources }
          : { resources, totalResults: all.length, applied: ['filter', 'sort', 'page'] }
      },
    }),
    finds: ['tenants.list'],
  },
  {
    name: 'a filtered list ignores the tenant',
    types: ['Sensor'],
    fault: ({ store, database, name }) => ({
      list: async (context, request) => {
        if (request.filter === null) return await store.list(context, request)
        const rows = database.rows.filter(({ type }) => type === name)
        return { resources: rows.map(({ resource }) => resource) }
      },
    }),
    finds: ['tenants.list'],
  },
  {
    name: 'a change ignores the tenant',
    types: ['Sensor'],
    fault: ({ store, database }) => {
      const contextOf = (id: string) =>
        database.rows.find(({ resource }) => resource['id'] === id) ?? { tenant: 'none' }
      return {
        read: (id, context, request) =>
          store.read(id, request.isForUpdate ? contextOf(id) : context, request),
        replace: (id, resource, _, request) => store.replace(id, resource, contextOf(id), request),
      }
    },
    finds: ['tenants.write'],
  },
  ...DATABASE_FAULT_CASES,
  ...DRIVER_FAULT_CASES,
]

/** A store whose list throws for some requests. */
function failsToList(isFailing: (request: ListRequest) => boolean): Fault {
  return ({ store }) => ({
    list: async (context, request) => {
      if (isFailing(request)) throw new Error('no list')
      return await store.list(context, request)
    },
  })
}

function pick(resource: WireResource, ...names: readonly string[]): WireResource {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)))
}

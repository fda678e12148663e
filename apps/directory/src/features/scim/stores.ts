import { RawJson, type Scim } from '@plumbline/scim'
import {
  type ListAnswer,
  type ListRequest,
  PreparedResource,
  type ReadRequest,
  type ResourceStore,
  type StoreRequest,
} from '@plumbline/scim/endpoint'
import type { ReadOptions } from '../../kernel/store/store.ts'
import { type DirectoryContext, scopeOf } from './context.ts'
import { CURSOR_TIMEOUT } from './list/cursor-query.ts'
import { isLookUp } from './list/indexed-lookup.ts'
import { BroadSearchError, JsonPieces, type ResourceView } from './list/list.ts'
import type { TenantScope } from './scope.ts'
import type { StoredType } from './stored-type.ts'
import { createSubjects, idOf } from './subjects.ts'

type EndpointStore = ResourceStore<DirectoryContext>

/** Returns a resource type's store for the SCIM endpoint. It opens the transactions for reads itself. */
export function endpointStore({
  store,
  lookups,
  valueLookups = [],
  loggedName,
}: Pick<StoredType, 'store' | 'lookups' | 'valueLookups' | 'loggedName'>): EndpointStore {
  const subject = createSubjects(loggedName)
  return {
    cursors: { timeout: CURSOR_TIMEOUT },
    read: async (id, context, request) => {
      const { view, isWanted } = request
      if (request.isForUpdate) {
        const current = await store.readForUpdate(writing(context, request), id, view, {
          isLeaving: request.isForDelete === true,
        })
        return subject.noted(context, id, current)
      }
      const access = store.isLarge(view) ? 'scan' : 'read'
      const read = (scope: TenantScope) => store.read(scope, id, view, isWanted)
      const resource = await looking(context, request, { access, isOneStatement: true }, read)
      subject.noteBody(context, id, resource.body)
      return prepared(resource)
    },
    list: async (context, request) => {
      const query = queryOf(request)
      const isOneStatement = !store.isLarge(query) && isLookUp(query, lookups)
      const isFew = isOneStatement || (!store.isLarge(query) && isLookUp(query, valueLookups))
      const how = { access: isFew ? 'read' : 'scan', isOneStatement } as const
      const page = await looking(context, request, how, (scope) => store.list(scope, query))
      subject.noteList(context, request, page.resources)
      return { ...page, resources: page.resources.map(prepared), applied: APPLIED }
    },
    create: async (resource, context, request) => {
      subject.noted(context, null, resource)
      const created = await store.create(writing(context, request), resource)
      return subject.noted(context, idOf(created), created)
    },
    replace: async (id, resource, context, request) => {
      subject.noted(context, id, resource)
      return prepared(await store.replace(writing(context, request), id, resource, request))
    },
    delete: async (id, context, request) => {
      await store.delete(writing(context, request), id)
      return true
    },
    ...membershipCalls(store),
  }
}

/**
 * Runs a read, again as a scan if it turns out not to be a lookup: a shared value may belong to every user, and a user
 * may be in thousands of groups.
 */
async function looking<Value>(
  context: DirectoryContext,
  request: ReadRequest | ListRequest,
  how: Reading,
  work: (scope: TenantScope) => Promise<Value>,
): Promise<Value> {
  if (how.access === 'scan') return await reading(context, request, how, work)
  try {
    return await reading(context, request, how, (scope) => work({ ...scope, isLookUp: true }))
  } catch (error) {
    if (!(error instanceof BroadSearchError)) throw error
    return await reading(context, request, { access: 'scan' }, work)
  }
}

/** How a store reads. */
interface Reading extends Pick<ReadOptions, 'isOneStatement'> {
  readonly access: 'read' | 'scan'
}

/** Runs a read in a write's open transaction or in its own. */
function reading<Value>(
  context: DirectoryContext,
  request: StoreRequest,
  { access, isOneStatement = false }: Reading,
  work: (scope: TenantScope) => Promise<Value>,
): Promise<Value> {
  const { store, db, principal } = context
  if (db !== null) return work(scopeOf(context, request, db, request.budget))
  const options = { signal: request.signal, tenantId: principal.tenantId, isOneStatement }
  return store[access]((opened) => work(scopeOf(context, request, opened)), options)
}

/** Returns the scope for a call inside a write's transaction. */
function writing(context: DirectoryContext, request: StoreRequest): TenantScope {
  const { db } = context
  if (db === null) throw new TypeError('a write requires a transaction')
  return scopeOf(context, request, db, request.budget)
}

function queryOf(request: ListRequest): Scim.ListQuery {
  const { view, filter, sortBy, cursor } = request
  // Named one by one: a rest pattern would copy the request, which takes a microsecond.
  return {
    startIndex: request.startIndex,
    count: request.count,
    sortOrder: request.sortOrder,
    attributes: view.attributes,
    excludedAttributes: view.excludedAttributes,
    filter: filter ?? undefined,
    sortBy: sortBy ?? undefined,
    cursor: cursor ?? undefined,
  }
}

function prepared({ body, version }: ResourceView): PreparedResource {
  if (body instanceof JsonPieces) return new PreparedResource({ body: body.pieces, version })
  const json = body instanceof RawJson ? body : new RawJson(JSON.stringify(body))
  return new PreparedResource({ body: json, version })
}

/** Returns the calls about members, for a store that has them. */
function membershipCalls({
  changeMembers,
  findHolders,
  findMembers,
}: StoredType['store']): Pick<EndpointStore, 'findHolders' | 'changeMembers' | 'findMembers'> {
  return {
    ...(findHolders && {
      findHolders: (ids, context, request) =>
        reading(context, request, { access: 'read' }, (scope) => findHolders(scope, ids)),
    }),
    ...(changeMembers &&
      findMembers && {
        changeMembers: async (id, plan, context, request) => {
          await changeMembers(writing(context, request), id, plan, request)
          return true
        },
        findMembers: (id, values, context, request) =>
          findMembers(writing(context, request), id, values),
      }),
  }
}

const APPLIED: ListAnswer['applied'] = ['filter', 'sort', 'page']

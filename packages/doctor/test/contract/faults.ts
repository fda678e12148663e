import { unwrap } from '@plumbline/result'
import { compareResources, ScimError } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import {
  type ListRequest,
  PreparedResource,
  type ReadRequest,
  type StoreRequest,
  type View,
  type WireResource,
} from '@plumbline/scim/endpoint'
import { compileFilter, type Filter, stringifyFilter } from '@plumbline/scim/filter'
import type { Database, Store } from './memory.ts'

/** The parts of a directory that a fault changes. */
export interface Faulty {
  readonly store: Store
  readonly database: Database
  /** The name of the resource type. */
  readonly name: string
  readonly definitions: Discovery.Definitions
}

/** Changes a correct store so that it makes one mistake. */
export type Fault = (parts: Faulty) => Partial<Store>

// Changes of what is written.

/** Changes resources before they are stored. */
export function whenWritten(change: (resource: WireResource) => WireResource): Fault {
  return ({ store }) => ({
    create: (resource, ...rest) => store.create(change(resource), ...rest),
    replace: (id, resource, ...rest) => store.replace(id, change(resource), ...rest),
  })
}

/** Changes what a PUT or a PATCH stores. */
export function whenReplaced(
  change: (resource: WireResource, current: WireResource) => WireResource,
): Fault {
  return ({ store }) => ({
    replace: (id, resource, context, request) =>
      store.replace(id, change(resource, request.current), context, request),
  })
}

/** Changes resources when they are read and listed. */
export function whenRead(change: (resource: WireResource) => WireResource): Fault {
  return ({ store }) => ({
    read: async (...call) => {
      const found = await store.read(...call)
      return found === null || found instanceof PreparedResource ? found : change(found)
    },
    list: async (...call) => {
      const answer = await store.list(...call)
      return { ...answer, resources: answer.resources.map((one) => change(wire(one))) }
    },
  })
}

export const without =
  (...names: readonly string[]) =>
  (resource: WireResource): WireResource =>
    Object.fromEntries(Object.entries(resource).filter(([name]) => !names.includes(name)))

// Changes of what is listed.

/** Keeps the lists of some requests until the next resource is created or deleted. */
export function cachesLists(isCached: (request: ListRequest) => boolean): Fault {
  return ({ store }) => {
    const cache = new Map<string, ReturnType<Store['list']>>()
    return {
      list: (context, request) => {
        const { filter, sortBy, sortOrder, startIndex, count, cursor } = request
        const query = { context, filter, sortBy, sortOrder, startIndex, count, cursor }
        const key = JSON.stringify(query)
        const answer = (isCached(request) && cache.get(key)) || store.list(context, request)
        cache.set(key, answer)
        return answer
      },
      create: (...call) => {
        cache.clear()
        return store.create(...call)
      },
      delete: (...call) => {
        cache.clear()
        return store.delete(...call)
      },
    }
  }
}

interface Listed extends Faulty {
  readonly request: ListRequest
  readonly resources: readonly WireResource[]
}

/** Changes the resources of a list, which the endpoint then filters, sorts and pages. */
export function whenListed(change: (listed: Listed) => readonly WireResource[]): Fault {
  return (parts) => ({
    list: async (context, request) => {
      const { resources } = await parts.store.list(context, request)
      return { resources: change({ ...parts, request, resources: resources.map(wire) }) }
    },
  })
}

/** Filters by another filter than that of the request, or by other definitions. */
export function filteredBy(
  change: (expression: Filter.Expression) => Filter.Expression,
  redefine: (definitions: Discovery.Definitions) => Discovery.Definitions = (same) => same,
): Fault {
  return ({ store, definitions }) => ({
    list: async (context, request) => {
      const answer = await store.list(context, request)
      if (request.filter === null) return answer
      const filter = change(request.filter)
      const matches = unwrap(compileFilter(filter, { definitions: redefine(definitions) }))
      const resources = answer.resources.map(wire).filter(matches)
      return { resources, applied: ['filter'] }
    },
  })
}

/** Sorts as if the attributes were defined otherwise. */
export function sortedBy(redefine: (attribute: Discovery.Attribute) => Discovery.Attribute): Fault {
  return ({ store, definitions }) => ({
    list: async (context, request) => {
      const { resources } = await store.list(context, request)
      const { filter, sortBy, sortOrder } = request
      if (sortBy === null) return { resources }
      const matches = filter ? unwrap(compileFilter(filter, { definitions })) : () => true
      const order = compareResources({ sortBy, sortOrder }, redefined(redefine)(definitions))
      const sorted = resources.map(wire).filter(matches).sort(order)
      return { resources: sorted, applied: ['filter', 'sort'] }
    },
  })
}

/** Definitions with other attributes. */
export function redefined(change: (attribute: Discovery.Attribute) => Discovery.Attribute) {
  const changeAll = (attribute: Discovery.Attribute): Discovery.Attribute => ({
    ...change(attribute),
    ...(attribute.subAttributes && { subAttributes: attribute.subAttributes.map(changeAll) }),
  })
  return (definitions: Discovery.Definitions): Discovery.Definitions =>
    Object.fromEntries(
      Object.entries(definitions).map(([urn, one]) => [
        urn,
        { ...one, attributes: one.attributes.map(changeAll) },
      ]),
    )
}

/** Changes every comparison of a filter. */
export function compared(
  change: (comparison: Filter.Compare) => Filter.Expression,
): (expression: Filter.Expression) => Filter.Expression {
  const visit = (expression: Filter.Expression): Filter.Expression => {
    switch (expression.type) {
      case 'compare':
        return change(expression)
      case 'present':
        return expression
      case 'not':
        return { ...expression, operand: visit(expression.operand) }
      case 'logical':
        return { ...expression, operands: expression.operands.map(visit) }
      case 'valuePath':
        return { ...expression, filter: visit(expression.filter) }
    }
  }
  return visit
}

/** Pages in the store, from all resources that match and are sorted. */
export function paged(
  page: (resources: readonly WireResource[], request: ListRequest) => readonly WireResource[],
  count: (
    all: readonly WireResource[],
    page: readonly WireResource[],
    request: ListRequest,
  ) => number,
): Fault {
  return ({ store, definitions }) => ({
    list: async (context, request) => {
      const { resources } = await store.list(context, request)
      const { filter, sortBy, sortOrder } = request
      const matches = filter ? unwrap(compileFilter(filter, { definitions })) : () => true
      const order = compareResources({ ...(sortBy && { sortBy }), sortOrder }, definitions)
      const all = resources.map(wire).filter(matches).sort(order)
      const found = page(all, request)
      return {
        resources: found,
        totalResults: count(all, found, request),
        applied: ['filter', 'sort', 'page'],
      }
    },
  })
}

/** The page that a request asks for. */
export const exactPage = (
  resources: readonly WireResource[],
  { startIndex, count }: Pick<ListRequest, 'startIndex' | 'count'>,
): readonly WireResource[] => resources.slice(startIndex - 1, startIndex - 1 + count)

export const wire = (resource: WireResource | PreparedResource): WireResource => {
  if (resource instanceof PreparedResource) throw new Error('the resource is prepared')
  return resource
}

/** A request for a whole resource. */
export const wholeRequest = (request: StoreRequest): ReadRequest => ({
  base: request.base,
  budget: request.budget,
  signal: request.signal,
  view: { needs: () => true },
  isForUpdate: true,
  isWanted: () => true,
})

/** Definitions in which letter case matters everywhere. */
export const exact = redefined((one) => ({ ...one, caseExact: true }))

/** Waits until other requests have run. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export const conflict = (): ScimError =>
  new ScimError(409, 'the value is taken', { scimType: 'uniqueness' })

/** The attributes of a type, as if they were strings. */
export const asStrings = (type: Discovery.AttributeType) => redefined(stringIf(type))

export const stringIf =
  (type: Discovery.AttributeType) =>
  (one: Discovery.Attribute): Discovery.Attribute =>
    one.type === type ? { ...one, type: 'string' } : one

/** Pages by cursor, which start some resources after the last page. */
export function cursorsAfter(gap: number): Fault {
  return ({ store }) => ({
    cursors: {},
    list: async (context, request) => {
      const { resources } = await store.list(context, request)
      const { cursor, count } = request
      if (cursor === null) return { resources }
      const start = Number(cursor)
      const next = start + count + gap
      return {
        resources: resources.slice(start, start + count),
        applied: ['filter', 'sort', 'page'],
        ...(next < resources.length && { nextCursor: String(next) }),
      }
    },
  })
}

/** A value path as conditions that different values may match. */
export function spread(expression: Filter.Expression): Filter.Expression {
  switch (expression.type) {
    case 'not':
      return { ...expression, operand: spread(expression.operand) }
    case 'logical':
      return { ...expression, operands: expression.operands.map(spread) }
    case 'valuePath': {
      const { attribute, schema } = expression.path
      return within(expression.filter, (name) => ({ schema, attribute, subAttribute: name }))
    }
    default:
      return expression
  }
}

function within(
  expression: Filter.Expression,
  place: (name: string) => Filter.AttributePath,
): Filter.Expression {
  switch (expression.type) {
    case 'compare':
    case 'present':
      return { ...expression, path: place(expression.path.attribute) }
    case 'not':
      return { ...expression, operand: within(expression.operand, place) }
    case 'logical':
      return { ...expression, operands: expression.operands.map((one) => within(one, place)) }
    case 'valuePath':
      return expression
  }
}

/** A negated comparison that also requires a value, as in SQL. */
export function threeValued(expression: Filter.Expression): Filter.Expression {
  if (expression.type === 'logical') {
    return { ...expression, operands: expression.operands.map(threeValued) }
  }
  if (expression.type !== 'not') return expression
  const { operand } = expression
  if (operand.type !== 'logical') return expression
  const present = operand.operands.flatMap((one): Filter.Expression[] =>
    one.type === 'compare' ? [{ type: 'present', path: one.path }] : [],
  )
  return { type: 'logical', operator: 'and', operands: [expression, ...present] }
}

/** Omits attributes that a view does not want, when resources are read and not changed. */
export function whenViewed(omitted: (view: View) => readonly string[]): Fault {
  return ({ store }) => ({
    read: async (id, context, request) => {
      const found = await store.read(id, context, request)
      if (found === null || request.isForUpdate) return found
      return without(...omitted(request.view))(wire(found))
    },
    list: async (context, request) => {
      const answer = await store.list(context, request)
      const change = without(...omitted(request.view))
      return { ...answer, resources: answer.resources.map((one) => change(wire(one))) }
    },
  })
}

/** The filter as a string; empty without one. */
export const stringifyOf = (filter: Filter.Expression | null): string =>
  filter === null ? '' : stringifyFilter(filter)

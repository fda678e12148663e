import { kindOf } from '@plumbline/base'
import { badRequest } from '../../error.ts'
import { compileResourceFilter } from '../../filter/compile.ts'
import { searchedAttributes } from '../../filter/find-attributes.ts'
import { isJsonObject } from '../../json.ts'
import type { ListQuery } from '../../model.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { Task } from '../core/exchange.ts'
import { completeResource } from '../core/represent.ts'
import { createView, type TrackedView } from '../core/view.ts'
import { storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'

/** A list request, prepared once for the store's part and for the endpoint's. */
export interface Listing {
  readonly work: Task
  readonly type: ServedType<never>
  readonly query: ListQuery
  /** The attributes the request needs. */
  readonly view: TrackedView
  /** The compiled filter; null without one. */
  readonly matches: ((resource: object) => boolean) | null
  /** Completes a store's resource as far as the filter and the order need it. */
  readonly complete: Complete
}

/** Returns the resource at a position in the answer. Throws a TypeError for anything else. */
type Complete = (resource: unknown, at?: number) => WireResource

/** Prepares a list request. Throws a ScimError, `400 invalidFilter`. */
export function createListing(work: Task, type: ServedType<never>, query: ListQuery): Listing {
  const { definitions, index } = type
  const { filter } = query
  const searched = [...searchedAttributes(query, index)]
  requireSearchable(searched)
  const options = { definitions, budget: work.budget }
  return {
    work,
    type,
    query,
    view: createView(query, index),
    matches: filter === undefined ? null : compileResourceFilter(filter, options),
    // Only `schemas` and `meta` depend on the completion, which costs more than most filters.
    complete: searched.some(isAdded) ? completerOf(work, type) : requireObject(type),
  }
}

/** Rejects searches by an attribute that is never returned, such as a password: they would reveal the value. */
function requireSearchable(searched: readonly AttributeNode[]): void {
  for (const { name, returned, parent } of searched) {
    if (returned !== 'never' && parent?.returned !== 'never') continue
    throw badRequest('invalidFilter', `${name} is never returned, so it cannot be searched`)
  }
}

/** Whether the endpoint adds an attribute to a store's resources. */
function isAdded({ name, parent }: AttributeNode): boolean {
  return ADDED.has(parent?.name ?? name)
}

function completerOf({ exchange }: Task, type: ServedType<never>): Complete {
  const origin = { type, method: 'list', base: exchange.base }
  return (resource, at) => completeResource(resource, at === undefined ? origin : { ...origin, at })
}

function requireObject(type: ServedType<never>): Complete {
  return (resource, at) => {
    if (isJsonObject(resource)) return resource
    const place = at === undefined ? 'list' : `list, resources[${at}]`
    throw storeFault(type, place, `${kindOf(resource)}, which is not a resource`)
  }
}

const ADDED: ReadonlySet<string> = new Set(['schemas', 'meta'])

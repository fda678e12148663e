import { createWorkBudget, type WorkBudget } from '../work-budget.ts'
import type { Limits } from './limits.ts'
import type { Profile } from './profiles.ts'
import type { StoreRequest } from './store.ts'
import type { Conditions } from './tags.ts'

/** The facts about a request of an authenticated client, or about an operation of its bulk request. */
export interface RequestFacts {
  /** The HTTP request. A bulk operation belongs to the bulk request. */
  readonly request: Request
  readonly profile: Profile
  readonly limits: Limits
  /** The base URL of the endpoint, without a trailing slash. */
  readonly base: string
  /** The id in the path, decoded; empty without one. */
  readonly id: string
  /** The query of the URL, without the question mark. */
  readonly query: string
  readonly conditions: Conditions
  /** Reads the JSON body. Throws a ScimError. */
  readonly body: () => Promise<unknown>
}

/** A request, and the client that sends it. */
export interface Exchange<Context> extends RequestFacts {
  readonly context: Context
  /** Runs work that writes a resource of a type, in one transaction. */
  readonly write: Write<Context>
}

/** A part of the work of a request. A transaction that is retried has a new budget. */
export interface Task {
  readonly exchange: RequestFacts
  readonly budget: WorkBudget
}

/** Work with calls of a store. */
export interface Work<Context> extends Task {
  readonly exchange: Exchange<Context>
  /** The context of the client, or the one that the transaction passes. */
  readonly context: Context
}

/** Runs work that writes a resource of a type, so that no other write of it runs in between. */
export type Write<Context> = <Value>(
  exchange: Exchange<Context>,
  type: { readonly name: string },
  work: (work: Work<Context>) => Promise<Value>,
) => Promise<Value>

/** Work that only reads. */
export function readingWork<Context>(exchange: Exchange<Context>): Work<Context> {
  return createWork(exchange, exchange.context)
}

/** Work in a context, such as that of a transaction. */
export function createWork<Context>(exchange: Exchange<Context>, context: Context): Work<Context> {
  return { exchange, context, budget: createWorkBudget(exchange.limits.steps) }
}

/** The facts about the request that a call of a store serves, with more members. */
export function storeRequest<Extra extends object>(
  { exchange, budget }: Task,
  extra: Extra,
): StoreRequest & Extra {
  const { request, base } = exchange
  const served = { ...extra, base, budget, [REQUEST]: request }
  defineSignal(served)
  return served
}

/**
 * Servers create the signal of a request when it is first read, which most stores never do. All objects share one
 * getter: with a getter of its own, each would get a hidden class, which costs more than the rest of a lookup.
 */
function defineSignal<Target extends object>(
  target: Target,
): asserts target is Target & Pick<StoreRequest, 'signal'> {
  Object.defineProperty(target, 'signal', SIGNAL)
}

const REQUEST = Symbol('request')
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [REQUEST]: Request }> = {
  get() {
    return this[REQUEST].signal
  },
  // A store may copy the request, with other members, for a store that it calls.
  enumerable: true,
}

import { ScimError } from '../../error.ts'
import {
  type ListQueryOptions,
  readParameters,
  readSearchRequest,
} from '../../message/list-query.ts'
import type { ListQuery } from '../../model.ts'
import type { Definitions } from '../../schema/types.ts'
import { createWorkBudget, type WorkBudget } from '../../work-budget.ts'
import type { Limits } from '../options/limits.ts'
import type { Profile } from '../options/profiles.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { ResourceStore, StoreRequest, WireResource } from '../options/store.ts'
import type { Deadline } from './deadline.ts'
import type { Conditions } from './etags.ts'

/** A response before it is written. Bulk requests and HEAD read only the status and the headers. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, a RawJson, JSON pieces to send one after the other, or null. */
  readonly body: object | null
  /** The paths of the attributes and values a write ignored; none by default. */
  readonly ignored?: ReadonlySet<string>
}

/** The facts about an authenticated client's request, or about an operation in a bulk request. */
export interface RequestFacts {
  /** The HTTP request. A bulk operation belongs to the bulk request. */
  readonly request: Request
  readonly profile: Profile
  readonly limits: Limits
  /** The endpoint's base URL, without a trailing slash. */
  readonly base: string
  /** The id in the path, decoded; empty without one. */
  readonly id: string
  /** The URL's query, without the question mark. */
  readonly query: string
  readonly conditions: Conditions
  /** Reads the JSON body. Throws a ScimError. */
  readonly body: () => Promise<unknown>
  /** Waits until the client may use the event loop for work on this many bytes; undefined if it may do so now. */
  readonly turn: (bytes: number) => Promise<void> | undefined
}

/** A request, and the client that sends it. */
export interface Exchange<Context> extends RequestFacts {
  readonly context: Context
  /** Runs work that writes a resource, in one transaction. */
  readonly write: Write<Context>
  /** All resource types of the endpoint. */
  readonly types: readonly ServedType<Context>[]
  /** Reports the changes that the request's writes make; null if the application does not listen. */
  readonly changes: ChangeReports<Context> | null
}

/** A part of a request's work. A retried transaction has a new budget. */
export interface Task {
  readonly exchange: RequestFacts
  readonly budget: WorkBudget
  /** A write's deadline. Null for read-only work. */
  readonly deadline: Deadline | null
}

/** Answers a request. It throws a ScimError to answer with an error. */
export type Handler<Context> = (exchange: Exchange<Context>) => Promise<Answer>

/** A task that calls the store. */
export interface Work<Context> extends Task {
  readonly exchange: Exchange<Context>
  /** The client's context, or the one the transaction passes. */
  readonly context: Context
  /** Waits for the write's turn at a resource; an empty id is the turn of all creations. */
  readonly hold: Hold
}

/** Waits until no other write in this process holds a resource, unless its transaction isolates the store. */
export type Hold = (
  type: { readonly name: string; readonly store: Pick<ResourceStore<never>, 'needsTurns'> },
  id: string,
) => Promise<void>

/** Runs work that writes resources. No other write to those that it reads for update runs in between. */
export type Write<Context> = <Value>(
  exchange: Exchange<Context>,
  work: (work: Work<Context>) => Promise<Value>,
) => Promise<Value>

/** Thrown by work that has not written yet, and that must run again. */
export class RestartError extends ScimError {
  constructor() {
    super(503, 'too many writes at the same time')
  }
}

/** The members a write added to a resource and removed from it. */
export interface MemberChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** A resource before and after a write. */
export interface Versions {
  readonly before: WireResource
  readonly after: WireResource
  /** The content given to the store. It has write-only attributes, which `after` may lack. */
  readonly written: WireResource
}

/** Reports a write's changes before its transaction ends. */
export interface ChangeReports<Context> {
  created(work: Work<Context>, type: ServedType<Context>, resource: WireResource): Promise<void>
  changed(work: Work<Context>, type: ServedType<Context>, versions: Versions): Promise<void>
  /** A change to a group whose members were not loaded. */
  changedMembers(
    work: Work<Context>,
    type: ServedType<Context>,
    change: { readonly versions: Versions; readonly members: MemberChange },
  ): Promise<void>
  deleted(
    work: Work<Context>,
    type: ServedType<Context>,
    deletion: { readonly resource: WireResource; readonly holders: readonly Holder[] },
  ): Promise<void>
}

/** A group, and its type. */
export interface Holder {
  readonly type: ServedType<never>
  readonly resource: WireResource
}

/** Creates read-only work. */
export function readingWork<Context>(exchange: Exchange<Context>): Work<Context> {
  return createWork(exchange, exchange.context, null, async () => undefined)
}

/** Creates work with a context, such as a transaction's. */
export function createWork<Context>(
  exchange: Exchange<Context>,
  context: Context,
  deadline: Deadline | null,
  hold: Hold,
): Work<Context> {
  return { exchange, context, budget: createWorkBudget(exchange.limits.steps), deadline, hold }
}

/**
 * The request context passed to a store call, merged with `extra`. Throws the reason if the write is over, so it
 * does not call the store again.
 */
export function storeRequest<Extra extends object>(task: Task, extra: Extra): StoreRequest & Extra {
  const { exchange, budget, deadline } = task
  deadline?.throwIfOver()
  const served = { ...extra, base: exchange.base, budget, [TASK]: task }
  defineSignal(served)
  return served
}

/**
 * Servers create a request's signal when it is first read, which most stores never do. All objects share one getter:
 * with separate getters, each would get a hidden class, which costs more than the rest of a lookup.
 */
function defineSignal<Target extends object>(
  target: Target,
): asserts target is Target & Pick<StoreRequest, 'signal'> {
  Object.defineProperty(target, 'signal', SIGNAL)
}

/** An answer without a body (RFC 7644 §3.5.2, §3.6). */
export const NO_CONTENT: Answer = { status: 204, headers: {}, body: null }

/** A representation's headers: its entity tag, if it has one, and its location. */
export function headersOf(
  location: string,
  version: string | null,
): Readonly<Record<string, string>> {
  return version === null ? { Location: location } : { ETag: version, Location: location }
}

/** Parses the URL's query with the client's tolerances. Throws a ScimError. */
export function readQuery(exchange: RequestFacts, definitions: Definitions): ListQuery {
  const { query, limits } = exchange
  if (query === '') return { ...FIRST_PAGE, count: Math.min(limits.defaultCount, limits.maxCount) }
  const options = optionsOf(exchange, definitions)
  return readParameters(new URLSearchParams(query), options)
}

/** Parses a `.search` request's body with the client's tolerances. Throws a ScimError. */
export async function readSearch(
  exchange: RequestFacts,
  definitions: Definitions,
): Promise<ListQuery> {
  return readSearchRequest(await exchange.body(), optionsOf(exchange, definitions))
}

function optionsOf({ limits, profile }: RequestFacts, attributes: Definitions): ListQueryOptions {
  const { defaultCount, maxCount } = limits
  return { defaultCount, maxCount, attributes, tolerate: profile.query }
}

/** Records that a request's attribute was ignored. A client cannot make the paths many or long. */
export function addIgnored(paths: Set<string>, path: string): void {
  if (paths.size < MAX_IGNORED) paths.add(path.slice(0, MAX_PATH_LENGTH).toWellFormed())
}

const TASK = Symbol('task')
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [TASK]: Task }> = {
  get() {
    const { deadline, exchange } = this[TASK]
    if (deadline !== null) return deadline.signal
    const { signal }: { readonly signal?: AbortSignal } = exchange.request
    // Some runtimes and mocks make requests without a signal.
    return signal ?? new AbortController().signal
  },
  // A store may copy the request, with other members, for a store it calls.
  enumerable: true,
}
const FIRST_PAGE = { startIndex: 1, sortOrder: 'ascending' } as const
/** How many paths are reported. */
const MAX_IGNORED = 20
/** In code units. */
const MAX_PATH_LENGTH = 200

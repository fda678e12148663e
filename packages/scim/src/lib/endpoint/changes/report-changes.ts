import { memoize } from '@plumbline/base'
import { own } from '../../json.ts'
import type { MembershipPlan } from '../../patch/membership-plan.ts'
import { fold } from '../../values/fold.ts'
import type { ChangeReports, Holder, MemberChange, Task, Versions, Work } from '../core/exchange.ts'
import type { ResourceType, ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'
import { findHolders, findMembers } from '../read/memberships.ts'
import { type ResourceReader, readerOf } from '../read/resource-reader.ts'
import {
  type Change,
  type ChangeDetail,
  creationOf,
  deletionOf,
  differenceOf,
  memberDetails,
  prefixOf,
} from './changes.ts'

/** Receives a write's changes, in the order in which they happened. */
export interface OnChange<Context> {
  (
    changes: readonly Change[],
    write: {
      /** The context `transaction` passes to the work, such as `{ ...context, tx }`. */
      readonly transaction: Context
      /** The client's context. */
      readonly context: Context
      readonly request: Request
      /** Reads resources in the transaction, after the change. */
      readonly resources: ResourceReader
      /**
       * Returns a changed resource as it was before the write; null if it was created. A group lacks the members the
       * write did not read.
       */
      readonly before: (change: Change) => WireResource | null
    },
  ): Promise<void> | void
  /** Is called once with the endpoint's types, and throws a TypeError if the function cannot work with them. */
  readonly requireTypes?: ((types: readonly ResourceType<never>[]) => void) | undefined
}

/** The endpoint's options for reports of changes. */
interface ReportOptions<Context> {
  readonly onChange?: OnChange<Context> | undefined
  readonly transaction?: unknown
  readonly requestId?: ((request: Request) => string) | undefined
}

/** Prepares an endpoint's reports; null without a listener. */
export function prepareReports<Context extends object>(
  { onChange, transaction, requestId }: ReportOptions<Context>,
  types: readonly ServedType<Context>[],
): ChangeReports<Context> | null {
  if (onChange === undefined) return null
  if (transaction === undefined) {
    throw new TypeError(
      'onChange needs the option transaction: its changes belong to a transaction',
    )
  }
  onChange.requireTypes?.(types)
  const send = createSend(onChange, requestId, types)
  return {
    created: (work, type, resource) =>
      send(work, findings(type, resource, null, creationOf(type, resource))),
    changed: (work, type, versions) =>
      send(
        work,
        findings(type, current(work, versions), versions.before, differenceOf(type, versions)),
      ),
    changedMembers: (work, type, { versions, members }) =>
      send(
        work,
        findings(type, current(work, versions), versions.before, [
          ...differenceOf(type, versions),
          ...memberDetails(prefixOf(type), members),
        ]),
      ),
    deleted: async (work, type, { resource, holders }) => {
      const id = work.exchange.id
      // If a resource of another type has the same id, it may be the member: then it stays.
      const kept =
        holders.length === 0
          ? []
          : (await findHolders(work, types, { type, ids: [id] })).map(([, holder]) => holder)
      const left = withoutAll(holders, [...kept, { type, resource: { id } }])
      await send(work, [
        ...left.flatMap((holder) =>
          findings(holder.type, holder.resource, null, [
            { type: `${prefixOf(holder.type)}.members`, added: [], removed: [id] },
          ]),
        ),
        ...findings(type, resource, resource, deletionOf(type, resource)),
      ])
    },
  }
}

type Send<Context> = (work: Work<Context>, changes: readonly Found[]) => Promise<void>

/** Creates a function to pass changes to the listener, within their write's transaction. */
function createSend<Context extends object>(
  onChange: OnChange<Context>,
  requestId: ReportOptions<Context>['requestId'],
  types: readonly ServedType<Context>[],
): Send<Context> {
  const ids = memoize((request: Request) => ({ id: requestId?.(request) ?? crypto.randomUUID() }))
  return async (work, changes) => {
    if (changes.length === 0) return
    const { exchange, context, deadline } = work
    // The transaction of a write that is over has ended.
    deadline?.throwIfOver()
    const { request } = exchange
    const { id: requestId } = ids(request)
    const time = new Date().toISOString()
    const earlier = new Map<Change, WireResource>()
    const sent = changes.map(({ type, resource, before, detail }): Change => {
      const externalId = own(resource, 'externalId')
      const facts = { resourceType: type.name, id: String(own(resource, 'id')), requestId, time }
      const id = typeof externalId === 'string' ? externalId : null
      const change = { ...detail, ...facts, externalId: id }
      if (before !== null) earlier.set(change, before)
      return change
    })
    await onChange(sent, {
      transaction: context,
      context: exchange.context,
      request,
      resources: readerOf(work, types),
      before: (change) => earlier.get(change) ?? null,
    })
  }
}

function withoutAll(holders: readonly Holder[], others: readonly Holder[]): readonly Holder[] {
  const keyOf = ({ type, resource }: Holder) => `${type.name}/${resource.id}`
  const keys = new Set(others.map(keyOf))
  return holders.filter((holder) => !keys.has(keyOf(holder)))
}

/** A change found in a write, and its resource. */
interface Found {
  readonly type: ServedType<never>
  readonly resource: WireResource
  /** The resource before the write; null if it was created or only lost a member. */
  readonly before: WireResource | null
  readonly detail: ChangeDetail
}

function findings(
  type: ServedType<never>,
  resource: WireResource,
  before: WireResource | null,
  details: readonly ChangeDetail[],
): Found[] {
  return details.map((detail) => ({ type, resource, before, detail }))
}

/** A write's content does not have an id. */
function current({ exchange }: Pick<Task, 'exchange'>, { after }: Versions): WireResource {
  return { ...after, id: exchange.id }
}

/** Returns added members as the store spells them. It may replace a client's spelling with the id. */
export async function storedMembers<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  added: readonly string[],
): Promise<readonly string[]> {
  // The ids of most stores do not have capital letters.
  const isLower = (value: string): boolean => value === value.toLowerCase()
  if (added.every(isLower)) return added
  const found = await findMembers(work, type, added)
  const spellings = new Map(found.map((value) => [fold(value), value]))
  return added.map((value) => spellings.get(fold(value)) ?? value)
}

/**
 * Returns the members a plan really adds and removes, compared with the members before the change: added values that
 * are already members are left out.
 */
export async function plannedMembers<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { add, remove }: Pick<MembershipPlan, 'add' | 'remove'>,
): Promise<MemberChange> {
  const added = new Map(add.map(({ value }) => [fold(value), value]))
  const touched = [...added.values(), ...remove]
  const found = touched.length === 0 ? [] : await findMembers(work, type, touched)
  const before = new Map(found.map((value) => [fold(value), value]))
  const removed = [...remove].flatMap((value) => before.get(fold(value)) ?? [])
  return {
    added: [...added].filter(([key]) => !before.has(key)).map(([, value]) => value),
    removed: [...new Set(removed)],
  }
}

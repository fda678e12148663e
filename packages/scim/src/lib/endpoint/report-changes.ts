import { own } from '../json.ts'
import { memoize } from '../memoize.ts'
import type { MembershipPlan } from '../patch/membership-plan.ts'
import { fold } from '../values/fold.ts'
import {
  type Change,
  type ChangeDetail,
  creationOf,
  deletionOf,
  differenceOf,
  type MemberChange,
  memberDetails,
  prefixOf,
  type Versions,
} from './changes.ts'
import type { ChangeReports, Holder, Task, Work } from './exchange.ts'
import { findMembers } from './members.ts'
import type { ScimEndpointOptions } from './options.ts'
import { findHolders, readerOf } from './reader.ts'
import type { ServedType } from './served-type.ts'
import type { WireResource } from './store.ts'

/** Prepares the reports of an endpoint; null without a listener. */
export function prepareReports<Context extends object>(
  { onChange, transaction, requestId }: ScimEndpointOptions<Context>,
  types: readonly ServedType<Context>[],
): ChangeReports<Context> | null {
  if (onChange === undefined) return null
  if (transaction === undefined) {
    throw new TypeError(
      'onChange needs the option transaction: its changes belong to a transaction',
    )
  }
  const ids = memoize((request: Request) => ({ id: requestId?.(request) ?? crypto.randomUUID() }))
  const send = async (work: Work<Context>, changes: readonly Found[]) => {
    if (changes.length === 0) return
    const { exchange, context } = work
    const { request } = exchange
    const { id: requestId } = ids(request)
    const time = new Date().toISOString()
    const sent = changes.map(({ type, resource, detail }): Change => {
      const externalId = own(resource, 'externalId')
      const facts = { resourceType: type.name, id: String(own(resource, 'id')), requestId, time }
      return { ...detail, ...facts, externalId: typeof externalId === 'string' ? externalId : null }
    })
    const resources = readerOf(work, types)
    await onChange(sent, { transaction: context, context: exchange.context, request, resources })
  }
  const holdersOf = (work: Work<Context>) => findHolders(work, types, work.exchange.id)
  return {
    created: (work, type, resource) =>
      send(work, findings(type, resource, creationOf(type, resource))),
    changed: (work, type, versions) =>
      send(work, findings(type, current(work, versions), differenceOf(type, versions))),
    changedMembers: (work, type, { versions, members }) =>
      send(
        work,
        findings(type, current(work, versions), [
          ...differenceOf(type, versions),
          ...memberDetails(prefixOf(type), members),
        ]),
      ),
    deleted: async (work, type, { resource, holders }) => {
      const id = work.exchange.id
      // A resource of another type with the same id may be the member: then it stays.
      const kept = holders.length === 0 ? [] : await holdersOf(work)
      const left = withoutAll(holders, [...kept, { type, resource: { id } }])
      await send(work, [
        ...left.flatMap((holder) =>
          findings(holder.type, holder.resource, [
            { type: `${prefixOf(holder.type)}.members`, added: [], removed: [id] },
          ]),
        ),
        ...findings(type, resource, deletionOf(type, resource)),
      ])
    },
    holdersOf,
  }
}

function withoutAll(holders: readonly Holder[], others: readonly Holder[]): readonly Holder[] {
  const keyOf = ({ type, resource }: Holder) => `${type.name}/${resource.id}`
  const keys = new Set(others.map(keyOf))
  return holders.filter((holder) => !keys.has(keyOf(holder)))
}

/** A change that was found, and its resource. */
interface Found {
  readonly type: ServedType<never>
  readonly resource: WireResource
  readonly detail: ChangeDetail
}

function findings(
  type: ServedType<never>,
  resource: WireResource,
  details: readonly ChangeDetail[],
): Found[] {
  return details.map((detail) => ({ type, resource, detail }))
}

/** The content of a write does not have an id. */
function current({ exchange }: Pick<Task, 'exchange'>, { after }: Versions): WireResource {
  return { ...after, id: exchange.id }
}

/**
 * The members that a plan adds and removes, as they are before the change: those that it adds and that are members already
 * do not change.
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

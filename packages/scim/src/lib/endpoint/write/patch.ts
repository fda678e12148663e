import { unwrap } from '@plumbline/result'
import { badRequest } from '../../error.ts'
import type { ListQuery } from '../../model.ts'
import { applyPatch } from '../../patch/apply.ts'
import { type MembershipPlan, planMembership } from '../../patch/membership-plan.ts'
import { parsePatch } from '../../patch/parse.ts'
import type { ApplyOptions, Operation } from '../../patch/types.ts'
import { fold } from '../../values/fold.ts'
import { plannedMembers, storedMembers } from '../changes/report-changes.ts'
import {
  type Answer,
  addIgnored,
  type Exchange,
  NO_CONTENT,
  readQuery,
  storeRequest,
  type Task,
  type Work,
} from '../core/exchange.ts'
import { completeResource, represent } from '../core/represent.ts'
import { viewWithoutMembers, wholeView } from '../core/view.ts'
import { requireVerdict } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { StoredResource, WireResource } from '../options/store.ts'
import { findMembers } from '../read/memberships.ts'
import { answerReadAs, notFound } from '../read/read.ts'
import { keepPlaced } from './places.ts'
import { requireUnique } from './unique.ts'
import { answerResource, parseContent, readForUpdate, replaceResource } from './write.ts'

/** Changes a resource (RFC 7644 §3.5.2). */
export async function answerPatch<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  const { profile } = exchange
  const { patchBody: tolerate, reject } = profile
  const operations = unwrap(parsePatch(await exchange.body(), { tolerate, reject }))
  const { changeMembers, findMembers } = type.store
  const isLarge = changeMembers !== undefined && findMembers !== undefined
  const ignored = new Set<string>()
  const tolerances = {
    tolerate: profile.patch,
    reject,
    onIgnored: (path: string): void => addIgnored(ignored, path),
  }
  // The version may be a digest of the whole resource.
  const planned =
    isLarge && !operations.some(namesMeta) ? planMembership(operations, tolerances) : null
  // Only the whole group says which members a replacement removes.
  const plan = planned?.replace && exchange.changes !== null ? null : planned
  // RFC 7644 §3.5.2: 204 unless the client names attributes. The group may be very large.
  const isSilent = isLarge && query.attributes === undefined
  const shown = isSilent ? { ...query, attributes: ['id'] } : query
  const patched = await exchange.write(exchange, (work) =>
    plan === null
      ? patchWhole(work, type, { operations, tolerances, query: shown })
      : patchMembers(work, type, { plan, tolerances }),
  )
  if (isSilent) return { ...NO_CONTENT, ignored }
  const answer =
    patched === null
      ? await answerReadAs(exchange, type, query, { ifMatch: null, ifNoneMatch: null })
      : await answerResource(exchange, type, patched, query)
  return { ...answer, ignored }
}

/** The profile's tolerances and rejections, and the callback for what they ignore. */
interface Tolerances extends Pick<ApplyOptions, 'tolerate' | 'reject'> {
  readonly onIgnored: (path: string) => void
}

/** A PATCH that needs the whole resource. */
interface WholePatch {
  readonly operations: readonly Operation[]
  readonly tolerances: Tolerances
  readonly query: ListQuery
}

/** A PATCH that needs only some members. */
interface MembersPatch {
  readonly plan: MembershipPlan
  readonly tolerances: Tolerances
}

/** Applies the operations to the whole resource. */
async function patchWhole<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { operations, tolerances, query }: WholePatch,
): Promise<StoredResource> {
  const { exchange } = work
  const current = await readForUpdate(work, type, wholeView())
  const read = completeResource(current, { type, method: 'read', base: exchange.base })
  const complete = operations.some(namesMeta) ? await withVersion(read, type) : read
  const patched = apply(work, type, complete, { ...tolerances, operations })
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  if (patched === complete) return read
  const content = parseContent(exchange, type, patched)
  const resource = keepPlaced(content, type, exchange.profile, tolerances.onIgnored)
  await requireUnique(work, type, resource, current)
  return await replaceResource(work, type, { resource, current, query })
}

/** Whether an operation names `meta`, which a client may send back unchanged. */
function namesMeta({ path, value }: Operation): boolean {
  const names = path === null ? Object.keys(Object(value)) : [path.attribute.attribute]
  return names.some((name) => /(^|:)meta(\.|$)/i.test(name))
}

/** Adds the version that answers have. */
async function withVersion(resource: WireResource, type: ServedType<never>): Promise<WireResource> {
  const { version } = await represent(resource, {}, type)
  return { ...resource, meta: { ...Object(resource.meta), version } }
}

/** Changes members without loading the others. Returns null, because the group's other members are unknown. */
async function patchMembers<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { plan, tolerances }: MembersPatch,
): Promise<null> {
  const { exchange } = work
  const { id, base } = exchange
  const view = viewWithoutMembers()
  const current = await readForUpdate(work, type, view)
  await requireTargets(work, type, plan)
  const complete = completeResource(current, { type, method: 'read', base })
  const { members: _, ...group } = complete
  const { rest: operations, positions } = plan
  const patched = apply(work, type, group, { ...tolerances, operations, positions })
  const content = parseContent(exchange, type, patched)
  const resource = keepPlaced(content, type, exchange.profile, tolerances.onIgnored)
  await requireUnique(work, type, resource, current)
  const members = exchange.changes === null ? null : await plannedMembers(work, type, plan)
  const request = storeRequest(work, { current, resource, view })
  const changed: unknown = await type.store.changeMembers?.(id, plan, work.context, request)
  if (!requireVerdict(type, 'changeMembers', changed)) throw notFound(type, id)
  if (members !== null) {
    const versions = { before: group, after: resource, written: resource }
    const { removed } = members
    const added = await storedMembers(work, type, members.added)
    await exchange.changes?.changedMembers(work, type, { versions, members: { added, removed } })
  }
  return null
}

function apply(
  { exchange, budget }: Task,
  { definitions }: ServedType<never>,
  resource: WireResource,
  {
    operations,
    ...options
  }: Tolerances & Pick<ApplyOptions, 'positions'> & Pick<WholePatch, 'operations'>,
): WireResource {
  const { values: maxValues } = exchange.limits
  return unwrap(applyPatch(resource, operations, { ...options, definitions, budget, maxValues }))
}

/** Throws `400 noTarget` unless each removal names at least one member. */
async function requireTargets<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { targets }: MembershipPlan,
): Promise<void> {
  const { profile } = work.exchange
  if (targets.length === 0 || profile.patch.includes('remove-missing')) return
  const members = new Set((await findMembers(work, type, targets.flat())).map(fold))
  if (targets.every((values) => values.some((value) => members.has(fold(value))))) return
  throw badRequest('noTarget', 'members: no value matches')
}

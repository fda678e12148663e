import type { HandlersOf } from '@plumbline/openapi/server'
import type { Change } from '@plumbline/scim/endpoint'
import { sql } from '@plumbline/scim/internal'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { parseCursor, writeCursor } from '../../kernel/store/cursor.ts'
import { type Database, readRow } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import { findMissing } from '../../shell/api/missing-ids.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { type HoldRule, readFeed, visibleTo } from '../changes/feed.ts'
import { changeConnection, dropWaiting, readWaiting, releaseWaiting } from './store.ts'
import { waitingBody } from './waiting-body.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers for a tenant's connection. */
export function connectionHandlers({
  store,
  now,
}: AuthOptions): Pick<
  ApiHandlers,
  'getConnection' | 'changeConnection' | 'listWaitingChanges' | 'releaseChanges' | 'dropChanges'
> {
  const find = (tenantId: string) => store.read((db) => findTenant(db, tenantId))
  const show = (tenantId: string) =>
    store.scan((db) => connectionBody(db, tenantId, now()), { tenantId })
  return {
    getConnection: async ({ params: { tenantId }, reply, problems }) => {
      if (!(await find(tenantId))) return problems.notFound()
      return reply(200, await show(tenantId))
    },
    changeConnection: async ({ params: { tenantId }, body: { state, rule }, ...answers }) => {
      if (!(await find(tenantId))) return answers.problems.notFound()
      const outcome = await store.write(
        async (db) => {
          const groups = rule?.protectedGroups ?? []
          const pointers = groups.map((id, at) => [`/rule/protectedGroups/${at}`, id] as const)
          const fault = await findMissing(db, tenantId, 'Group', new Map(pointers))
          if (fault !== null) return fault
          const current = await readFeed(db, tenantId)
          const changed = rule && mergeRule(current.rule, rule)
          return await changeConnection(db, tenantId, { state, rule: changed, now: now() })
        },
        { tenantId },
      )
      if (outcome === true) return answers.reply(200, await show(tenantId))
      if (outcome !== false) return answers.problems.invalid(outcome)
      return answers.problems.notAllowed({
        detail: 'The changes are held. POST …/connection/release releases them.',
      })
    },
    releaseChanges: async ({ params: { tenantId }, reply, problems }) => {
      if (!(await find(tenantId))) return problems.notFound()
      await store.write((db) => releaseWaiting(db, tenantId, now()), { tenantId })
      return reply(204)
    },
    listWaitingChanges: async ({ params: { tenantId }, query, reply, problems }) => {
      if (!(await find(tenantId))) return problems.notFound()
      const { takesAccess: isRisky, after, count } = query
      const page = { after: after === undefined ? null : parseCursor(after), count, isRisky }
      const body = await store.scan((db) => waitingBody(db, tenantId, page), { tenantId })
      return body === null ? problems.changesDeleted() : reply(200, body)
    },
    dropChanges: async ({ params: { tenantId }, reply, problems }) => {
      if (!(await find(tenantId))) return problems.notFound()
      await store.write((db) => dropWaiting(db, tenantId), { tenantId })
      return reply(204)
    },
  }
}

/** Merges changed members into a rule; omitted members stay. */
function mergeRule(
  current: HoldRule,
  change: { readonly [Name in keyof HoldRule]?: HoldRule[Name] | undefined },
): HoldRule {
  return {
    percent: change.percent ?? current.percent,
    least: change.least ?? current.least,
    minutes: change.minutes ?? current.minutes,
    delay: change.delay ?? current.delay,
    protectedGroups: change.protectedGroups ?? current.protectedGroups,
  }
}

/** Reads a connection in the API form. */
async function connectionBody(db: Database, tenantId: string, now: number) {
  const feed = await readFeed(db, tenantId)
  // Delayed changes wait as well.
  const seen = await visibleTo(db, tenantId, feed, now)
  const { changes, users, deleted, tokenIds, first, last } = await readWaiting(db, tenantId, {
    position: feed.position,
    heldAfter: seen,
  })
  const { state, rule, hold } = feed
  return {
    state,
    rule: { ...rule, protectedGroups: [...rule.protectedGroups] },
    hold: hold && {
      reason: hold.reason,
      time: new Date(hold.at).toISOString(),
      requestId: hold.requestId,
      groupId: hold.groupId,
      groupName: await findGroupName(db, tenantId, hold.groupId),
    },
    waiting: {
      after: writeCursor(feed, seen),
      isComplete: feed.storedTo === null,
      changes,
      users,
      deleted,
      tokenIds: [...tokenIds],
      firstRequestId: requestIdOf(first),
      lastRequestId: requestIdOf(last),
    },
  }
}

async function findGroupName(
  db: Database,
  tenantId: string,
  id: string | null,
): Promise<string | null> {
  const rows = sql`select display_name as name from ${rowsOf(tenantId, 'groups')} and id = ${id ?? ''}`
  return id === null ? null : ((await readRow<{ readonly name: string }>(db, rows))?.name ?? null)
}

function requestIdOf(row: Pick<ChangeRow, 'change'> | null): string | null {
  if (row === null) return null
  const { requestId }: Change = JSON.parse(row.change)
  return requestId
}

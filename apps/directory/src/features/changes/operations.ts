import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { CURSOR } from '../../kernel/store/cursor.ts'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { RECEIVER_SECURITY } from '../../shell/api/receiver-security.ts'
import { tenantId } from '../../shell/api/schemas.ts'

/** Routes for a tenant's changes. */
export const changeRoutes = createRoutes('/api/tenants/:tenantId/changes', {
  listChanges: get('/'),
  watchChanges: get('/live'),
})

/** A change's cursor: the feed's epoch and the change's number. Versions before had only the number. */
export const changeCursor = z.string().regex(CURSOR)

const facts = {
  cursor: changeCursor.meta({
    description:
      'The epoch of the feed, a dot, and a number that increases in the order of the commits. The epoch is another one after a backup was restored.',
  }),
  resourceType: z.string(),
  id: z.string(),
  externalId: z.string().nullable(),
  requestId: z.string().meta({
    description:
      'The `X-Request-Id` of the answer to the request. Operations of a bulk request share it.',
  }),
  time: z.iso.datetime(),
}

const typeOf = (kind: string) => z.string().regex(new RegExp(`^[a-z]\\w*\\.${kind}$`))
const ids = z.array(z.string()).max(500)

/** A resource change, as in the feed, the events and the webhooks. */
export const Change = z
  .union([
    z.object({ type: typeOf('created'), ...facts, active: z.boolean().optional() }),
    z.object({
      type: typeOf('changed'),
      ...facts,
      attributes: z.array(z.string()).meta({
        description: 'The attributes with another value. Those of extensions start with the URN.',
      }),
    }),
    z.object({ type: typeOf('(deactivated|reactivated|deleted)'), ...facts }),
    z.object({
      type: typeOf('members'),
      ...facts,
      added: ids,
      removed: ids.meta({
        description: 'A change of more than 500 members is divided between several changes.',
      }),
    }),
  ])
  .meta({ id: 'Change' })

const params = z.object({ tenantId })
const after = changeCursor.optional()
const tags = ['changes']

/** Operations for a tenant's changes. */
export const changeOperations = {
  listChanges: defineOperation('listChanges', changeRoutes.listChanges, {
    summary: 'List the changes of a tenant',
    description:
      'The changes of users and groups, in the order in which they were committed. A consumer that continues with `nextCursor` gets every change once. For a copy of the tenant: read `nextCursor` with `after=newest`, then the resources by SCIM, and then the changes.',
    tags,
    params,
    query: z.strictObject({
      after: z
        .union([changeCursor, z.literal('newest')])
        .optional()
        .meta({
          description:
            'The `nextCursor` of the page before. `newest` returns an empty page, after which new changes follow. The oldest stored change is the first without it.',
        }),
      count: z.int().min(1).max(1_000).default(100),
    }),
    responses: {
      200: {
        description: 'A page of changes. It has fewer changes than `count` if they are large.',
        body: z.object({
          changes: z.array(Change),
          nextCursor: changeCursor,
          hasMore: z.boolean().meta({ description: 'Whether more changes can be read now' }),
        }),
      },
    },
    security: RECEIVER_SECURITY,
    problems: [...COMMON_PROBLEMS, 'notFound', 'changesDeleted'],
  }),
  watchChanges: defineOperation('watchChanges', changeRoutes.watchChanges, {
    summary: 'Watch the changes of a tenant',
    description:
      'A stream for `EventSource`. Each event `change` has a change as `listChanges` shows it, and its `cursor` as id. A client that connects again continues after the last event.',
    tags,
    params,
    query: z.strictObject({
      after: after.meta({ description: 'Starts after this change; a new stream starts now' }),
    }),
    headers: z.object({
      'Last-Event-ID': after.meta({ description: 'Starts after the change with this `cursor`' }),
    }),
    responses: {
      200: {
        description: 'The changes from now on, or after the last event; the stream does not end',
        body: { 'text/event-stream': z.string() },
      },
    },
    security: RECEIVER_SECURITY,
    problems: [...COMMON_PROBLEMS, 'notFound', 'changesDeleted'],
  }),
}

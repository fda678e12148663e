import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get, patch, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { Count, NO_QUERY, tenantId } from '../../shell/api/schemas.ts'
import { CONNECTION_STATES, DEFAULT_RULE } from '../changes/feed.ts'
import { changeCursor } from '../changes/operations.ts'
import { MAX_SHOWN_MEMBERS } from './waiting-body.ts'

/** Routes for a tenant's connection. */
export const connectionRoutes = createRoutes('/api/tenants/:tenantId/connection', {
  getConnection: get('/'),
  changeConnection: patch('/'),
  listWaitingChanges: get('/changes'),
  releaseChanges: post('/release'),
  dropChanges: post('/drop'),
})

const HoldRule = z
  .object({
    percent: z.number().gt(0).max(100).meta({
      description: 'Changes are held if more of the users than this percentage lose their access',
    }),
    least: z.int().min(1).max(1_000_000).meta({ description: 'The least number of these users' }),
    minutes: z.int().min(1).max(1_440).meta({ description: 'The time in which they do' }),
    delay: z.int().min(0).max(3_600).meta({
      description:
        'How many seconds a deactivation or deletion of a user waits, so that the rule can still hold it. The changes after it wait as well.',
    }),
    protectedGroups: z.array(z.string().max(200)).max(100).meta({
      description:
        'The ids of groups of the tenant. Changes are held if one of these groups loses its last active user.',
    }),
  })
  .meta({ id: 'HoldRule', examples: [DEFAULT_RULE] })

const time = z.iso.datetime()

const Connection = z
  .object({
    state: z.enum(CONNECTION_STATES).meta({
      description:
        'Consumers see the changes of an `active` connection. They wait until an administrator has reviewed them (`review`), while the connection is `paused`, and after the rule was exceeded (`held`). The resources always follow the identity provider.',
    }),
    rule: HoldRule,
    hold: z
      .object({
        reason: z.enum(['users', 'group']).meta({
          description:
            'Too many users lost their access, or a protected group lost its last active user',
        }),
        time,
        requestId: z.string().meta({ description: 'The request that exceeded the rule' }),
        groupId: z.string().nullable(),
        groupName: z.string().nullable().meta({ description: 'Null if it was deleted' }),
      })
      .nullable(),
    waiting: z.object({
      after: changeCursor.meta({ description: 'The last change that consumers see' }),
      isComplete: z.boolean().meta({
        description:
          'False if changes wait that are not stored, because all need more than `CHANGE_MEGABYTES`: after a release, consumers get 410 and copy the tenant again',
      }),
      changes: Count.meta({ description: 'How many changes wait, exact up to 10,000' }),
      users: Count.meta({
        description:
          'How many users would lose their access, exact if at most 10,000 of the changes take it',
      }),
      deleted: Count.meta({ description: 'How many of these users were deleted' }),
      tokenIds: z.array(z.string().nullable()).meta({
        description:
          'The tokens and OAuth clients that took it from them; null is `DIRECTORY_TOKEN`',
      }),
      firstRequestId: z.string().nullable(),
      lastRequestId: z.string().nullable(),
    }),
  })
  .meta({ id: 'Connection' })

const Members = z.object({
  count: z.int(),
  first: z
    .array(z.object({ id: z.string(), name: z.string().nullable() }))
    .meta({ description: `The first ${MAX_SHOWN_MEMBERS}, with their names in lower case` }),
})

const WaitingChange = z
  .object({
    cursor: changeCursor,
    type: z.string().meta({ description: 'Such as `user.deactivated`' }),
    resourceType: z.string(),
    id: z.string(),
    name: z.string().nullable().meta({
      description: 'The `userName` or `displayName`. It is in lower case if the resource exists.',
    }),
    takesAccess: z.boolean().meta({ description: 'Whether a user loses access' }),
    attributes: z.array(z.string()).optional(),
    added: Members.optional(),
    removed: Members.optional(),
    requestId: z.string(),
    time,
  })
  .meta({ id: 'WaitingChange' })

const params = z.object({ tenantId })
const tags = ['changes']
const problems = [...COMMON_PROBLEMS, 'notFound'] as const

/** Operations for a tenant's connection. */
export const connectionOperations = {
  getConnection: defineOperation('getConnection', connectionRoutes.getConnection, {
    summary: 'Read whether the changes of a tenant wait',
    tags,
    params,
    query: NO_QUERY,
    responses: { 200: { description: 'The connection', body: Connection } },
    problems,
  }),
  changeConnection: defineOperation('changeConnection', connectionRoutes.changeConnection, {
    summary: 'Pause or release the changes of a tenant',
    description:
      'The state `active` ends a pause or a review: the changes that wait are released in their order, or held if they exceed the rule. It does not release held changes. The members that are left out stay.',
    tags,
    params,
    query: NO_QUERY,
    body: z.strictObject({
      state: z.enum(['active', 'review', 'paused']).optional(),
      rule: HoldRule.partial().strict().optional(),
    }),
    responses: { 200: { description: 'The connection', body: Connection } },
    problems: [...problems, 'invalid', 'notAllowed'],
  }),
  listWaitingChanges: defineOperation('listWaitingChanges', connectionRoutes.listWaitingChanges, {
    summary: 'List the changes that wait',
    description:
      'The users and groups that the changes concern, by name, in the order in which consumers would see the changes. The list is empty if the connection is active.',
    tags,
    params,
    query: z.strictObject({
      takesAccess: z.boolean().default(false).meta({
        description: 'Whether to list only the changes that take access from a user',
      }),
      after: changeCursor.optional().meta({ description: 'The `nextAfter` of the page before' }),
      count: z.int().min(1).max(100).default(50),
    }),
    responses: {
      200: {
        description: 'A page of changes',
        body: z.object({
          changes: z.array(WaitingChange),
          nextAfter: changeCursor.optional().meta({ description: 'Absent on the last page' }),
        }),
      },
    },
    problems: [...problems, 'changesDeleted'],
  }),
  releaseChanges: defineOperation('releaseChanges', connectionRoutes.releaseChanges, {
    summary: 'Release the changes that wait',
    description:
      'Consumers see the changes in their order, also those that exceed the rule. The connection becomes active.',
    tags,
    params,
    query: NO_QUERY,
    responses: { 204: { description: 'The changes are released' } },
    problems,
  }),
  dropChanges: defineOperation('dropChanges', connectionRoutes.dropChanges, {
    summary: 'Drop the changes that wait',
    description:
      'Consumers never see these changes, and the resources stay as they are. The connection becomes active.',
    tags,
    params,
    query: NO_QUERY,
    responses: { 204: { description: 'The changes are dropped' } },
    problems,
  }),
}

import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { RECEIVER_SECURITY } from '../../shell/api/receiver-security.ts'
import { tenantId, text } from '../../shell/api/schemas.ts'

/** Routes for group members. */
export const memberRoutes = createRoutes('/api', {
  listMembers: get('/tenants/:tenantId/groups/:groupId/members'),
})

const id = text.min(1).max(100)

const GroupMember = z
  .object({
    id: z.string(),
    type: z.enum(['User', 'Group']),
    name: z.string().nullable().meta({
      description: 'The userName of a user in lower case, or the displayName of a group',
    }),
    display: z.string().nullable().meta({ description: 'The `display` that a client has sent' }),
  })
  .meta({ id: 'GroupMember' })

/** Operations for group members. */
export const memberOperations = {
  listMembers: defineOperation('listMembers', memberRoutes.listMembers, {
    summary: 'List the members of a group',
    description:
      'In the order of their ids. SCIM returns all members of a group together; a page of this list costs the same for a group of any size.',
    tags: ['groups'],
    params: z.object({ tenantId, groupId: id }),
    query: z.strictObject({
      after: id.optional().meta({ description: 'The `nextAfter` of the page before' }),
      count: z.int().min(1).max(1_000).default(100),
    }),
    responses: {
      200: {
        description: 'A page of members',
        body: z.object({
          members: z.array(GroupMember),
          nextAfter: z.string().optional().meta({ description: 'Absent on the last page' }),
        }),
      },
    },
    security: RECEIVER_SECURITY,
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
}

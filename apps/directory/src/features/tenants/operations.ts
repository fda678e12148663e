import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, patch, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { Count, countsOf, NO_QUERY, name, tenantId } from '../../shell/api/schemas.ts'
import { CONNECTION_STATES } from '../changes/feed.ts'
import { TENANT_STATES } from './tenant-state.ts'

/** Routes for tenants. */
export const tenantRoutes = createRoutes('/api', {
  listTenants: get('/tenants'),
  createTenant: post('/tenants'),
  getTenant: get('/tenants/:tenantId'),
  changeTenant: patch('/tenants/:tenantId'),
  deleteTenant: del('/tenants/:tenantId'),
})

const Tenant = z
  .object({
    id: tenantId,
    name: z.string(),
    createdAt: z.iso.datetime(),
    disabledAt: z.iso.datetime().nullable().meta({
      description: 'When the tenant was disabled: its tokens are rejected, and nothing is deleted',
    }),
    deletedAt: z.iso.datetime().nullable().meta({
      description: 'When the tenant was marked for deletion: its rows are being deleted',
    }),
  })
  .meta({ id: 'Tenant' })

/** A tenant's numbers. */
export const TenantSummary = z
  .object({
    state: z.enum(TENANT_STATES).meta({
      description:
        'The most urgent state. `undelivered`: changes do not reach a webhook. `waiting`: no request yet. `errors`: half of the newest requests were rejected. `silent`: no request for three days.',
    }),
    resources: countsOf(Count).meta({
      description:
        'The number of resources, keyed by the name of their type. The resources of one type are exact if all tenants of the answer have fewer than 1,000,000 together.',
    }),
    lastRequestAt: z.iso.datetime().nullable().meta({
      description:
        'When the last request was answered. A request that was not logged counts to the minute.',
    }),
    errors: Count.meta({
      description: 'The rejected requests of the last 24 hours, exact below 1,000',
    }),
    recent: z
      .object({ requests: z.int(), errors: z.int() })
      .meta({ description: 'The newest requests, 20 at most, and how many were rejected' }),
    connection: z.enum(CONNECTION_STATES).meta({
      description: 'Whether consumers see the changes: those of all states but `active` wait',
    }),
    webhooks: z.object({
      failing: z.int().meta({ description: 'Webhooks whose receiver fails, and is tried again' }),
      stopped: z.int().meta({
        description: 'Webhooks that the directory has disabled, and not an administrator',
      }),
      oldestChangeAt: z.iso.datetime().nullable().meta({
        description: 'When the oldest change was made that waits for an enabled webhook',
      }),
    }),
    nextExpiry: z
      .object({ tokenId: z.string(), name: z.string(), expiresAt: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The token that expires next' }),
  })
  .meta({ id: 'TenantSummary' })

const SummarizedTenant = Tenant.extend({
  summary: TenantSummary.nullable().optional().meta({
    description:
      'Only with `summary=true`; null in a list if it is unknown, such as while the node of the tenant is down',
  }),
}).meta({ id: 'SummarizedTenant' })

const summary = z.boolean().default(false).meta({
  description: 'Whether to count resources and errors',
})
const params = z.object({ tenantId })

/** Operations for tenants. */
export const tenantOperations = {
  listTenants: defineOperation('listTenants', tenantRoutes.listTenants, {
    summary: 'List tenants',
    description: 'The oldest tenants are first.',
    tags: ['tenants'],
    query: z.strictObject({
      summary,
      cursor: z
        .string()
        .regex(/^\d{1,15}\.[a-z0-9-]{1,63}$/)
        .optional()
        .meta({ description: 'The `nextCursor` of the page before' }),
      count: z.int().min(1).max(100).default(100),
    }),
    responses: {
      200: {
        description: 'A page of tenants',
        body: z.object({
          tenants: z.array(SummarizedTenant),
          nextCursor: z.string().optional().meta({ description: 'Absent on the last page' }),
        }),
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  createTenant: defineOperation('createTenant', tenantRoutes.createTenant, {
    summary: 'Create a tenant',
    description: 'A tenant does not have access to the resources of other tenants.',
    tags: ['tenants'],
    query: NO_QUERY,
    body: {
      'application/json': z.strictObject({
        id: tenantId,
        name,
        connection: z.enum(['active', 'review']).optional().meta({
          description: 'With `review`, its changes wait until an administrator releases them',
        }),
      }),
    },
    responses: { 201: { description: 'The tenant', body: Tenant } },
    problems: [...COMMON_PROBLEMS, 'conflict'],
  }),
  getTenant: defineOperation('getTenant', tenantRoutes.getTenant, {
    summary: 'Read a tenant',
    tags: ['tenants'],
    params,
    query: z.strictObject({ summary }),
    responses: { 200: { description: 'The tenant', body: SummarizedTenant } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  changeTenant: defineOperation('changeTenant', tenantRoutes.changeTenant, {
    summary: 'Rename, disable or enable a tenant',
    description:
      'The tokens of a disabled tenant are rejected with 403, within a second by every server process. Nothing is deleted.',
    tags: ['tenants'],
    params,
    query: NO_QUERY,
    body: {
      'application/json': z.strictObject({
        name: name.optional(),
        disabled: z.boolean().optional(),
      }),
    },
    responses: { 200: { description: 'The changed tenant', body: Tenant } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'notAllowed'],
  }),
  deleteTenant: defineOperation('deleteTenant', tenantRoutes.deleteTenant, {
    summary: 'Delete a tenant with its users, groups, tokens and requests',
    description:
      'The tokens of the tenant are rejected within a second. Its rows are deleted in the background. Then the tenant is not listed any more, and its id can be used again: after two minutes at the earliest. The tenant `default` cannot be deleted.',
    tags: ['tenants'],
    params,
    query: NO_QUERY,
    responses: { 202: { description: 'The tenant, which is marked for deletion', body: Tenant } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'notAllowed'],
  }),
}

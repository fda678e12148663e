import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../api/problems.ts'
import { NO_QUERY } from '../api/schemas.ts'

/** Routes for server information. */
export const aboutRoutes = createRoutes('/api', { getAbout: get('/about') })

const About = z
  .object({
    version: z.string().meta({ description: 'The version of the directory' }),
    runtime: z
      .string()
      .meta({ description: 'The runtime of the server, such as `Node.js 24.21.0`' }),
    database: z.string().meta({ description: 'The kind of the database: `sqlite` or `postgres`' }),
    tenants: z.int().meta({ description: 'The number of tenants' }),
    logsRequests: z.boolean().meta({
      description: 'Whether this server process stores SCIM requests in the provisioning log',
    }),
  })
  .meta({ id: 'About' })

/** Operations for server information. */
export const aboutOperations = {
  getAbout: defineOperation('getAbout', aboutRoutes.getAbout, {
    summary: 'Describe the server',
    tags: ['operations'],
    query: NO_QUERY,
    responses: { 200: { description: 'The server and its database', body: About } },
    problems: [...COMMON_PROBLEMS],
  }),
}

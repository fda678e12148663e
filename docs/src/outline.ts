import { checkTopics, pageOfTopic } from './checks.ts'
import { ENTRIES, referencePage } from './reference.ts'

/** A menu section: pages in their order, without extensions. */
export interface Section {
  readonly title: string
  readonly pages: readonly string[]
}

/** The site's menu, and the order in `llms.txt`. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'index',
      'start/hono',
      'start/drizzle',
      'start/kysely',
      'start/prisma',
      'start/nextjs',
      'start/entra-id',
      'start/okta',
      'start/doctor',
      'start/directory',
    ],
  },
  {
    title: 'OpenAPI guides',
    pages: [
      'openapi/index',
      'openapi/handlers',
      'openapi/authentication',
      'openapi/parameters-and-bodies',
      'openapi/files-and-pages',
      'openapi/streams',
      'openapi/webhooks',
      'openapi/errors',
      'openapi/document',
      'openapi/versions',
      'openapi/testing',
      'openapi/production',
      'openapi/clients',
      'openapi/deploy',
      'openapi/limits',
      'problem/index',
      'result/index',
    ],
  },
  {
    title: 'SCIM guides',
    pages: [
      'scim/index',
      'scim/mount',
      'scim/endpoint',
      'scim/existing-tables',
      'scim/existing-users',
      'scim/stores',
      'scim/transactions',
      'scim/changes',
      'scim/accounts-and-roles',
      'scim/custom-attributes',
      'scim/large-groups',
      'scim/tokens',
      'scim/tenants',
      'scim/soft-deletes',
      'scim/profiles',
      'scim/functions',
      'scim/filters-as-sql',
      'scim/filters-with-data-table',
      'scim/limits',
    ],
  },
  {
    title: 'The doctor',
    pages: ['doctor/index', 'doctor/command', 'doctor/program', 'doctor/stores'],
  },
  {
    title: 'The directory',
    pages: [
      'directory/index',
      'directory/providers',
      'directory/api',
      'directory/operate',
      'directory/cells',
      'directory/settings',
      'problems/index',
      'directory/upgrading',
    ],
  },
  {
    title: 'Coming from',
    pages: [
      'coming-from/hono-zod-openapi',
      'coming-from/orpc',
      'coming-from/ts-rest',
      'coming-from/tsoa',
      'coming-from/fastify',
      'coming-from/express',
      'coming-from/scimmy',
      'coming-from/better-auth',
    ],
  },
  { title: 'Concepts', pages: ['concepts/operation', 'concepts/patch', 'concepts/provisioning'] },
  {
    title: 'Troubleshooting',
    pages: [
      'troubleshooting/install',
      'troubleshooting/scim',
      'troubleshooting/openapi-requests',
      'troubleshooting/openapi-build',
      'troubleshooting/openapi-text',
      'troubleshooting/openapi-tests',
      'troubleshooting/openapi-clients',
      'troubleshooting/problem',
      'troubleshooting/doctor',
    ],
  },
  {
    title: 'Checks of the doctor',
    pages: ['troubleshooting/checks/index', ...[...checkTopics().keys()].map(pageOfTopic)],
  },
  {
    title: 'Reference',
    pages: [...ENTRIES.keys()].map((file) => referencePage(file).replace('.md', '')),
  },
  {
    title: 'About',
    pages: [
      'decisions/index',
      ...['openapi', 'contract', 'scim', 'doctor', 'problem', 'result', 'directory'].map(
        (name) => `changes/${name}`,
      ),
    ],
  },
]

import { defineConfig } from 'vitest/config'

/** The tests whose measurements another test next to them would lengthen. */
const alone = [
  'apps/directory/test/program/event-loop.servers.test.ts',
  'apps/directory/test/program/pipelines.servers.test.ts',
]

/** The tests that also run on each version of PostgreSQL that `.ci/servers` starts for them. */
const flows = [
  'apps/directory/test/seed/first-start.servers.test.ts',
  'apps/directory/test/store/engines/postgres/{one-statement,plans,prepared-statements,time-limits}.servers.test.ts',
  'apps/directory/test/store/migrations/*.servers.test.ts',
  'apps/directory/test/program/processes.servers.test.ts',
]

/** The contract of the store, with the API and the changes. It takes minutes, so only the newest version runs it. */
const contract = 'apps/directory/test/store/engines/postgres/postgres.servers.test.ts'

const newer = [
  { version: 17, url: process.env.PLUMBLINE_TEST_POSTGRES_17_URL, include: flows },
  { version: 18, url: process.env.PLUMBLINE_TEST_POSTGRES_18_URL, include: [...flows, contract] },
].flatMap(({ url, ...others }) => (url ? [{ url, ...others }] : []))

/** The tests that need real database servers; `.ci/run` starts the servers and runs these. */
export default defineConfig({
  resolve: { conditions: ['@plumbline/source'] },
  ssr: { resolve: { conditions: ['@plumbline/source'] } },
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['{packages,apps}/**/*.servers.test.ts'],
          exclude: alone,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
      ...newer.map(({ version, url, include }) => ({
        extends: true as const,
        test: {
          name: `PostgreSQL ${version}`,
          include,
          env: { PLUMBLINE_TEST_POSTGRES_URL: url },
          sequence: { groupOrder: 0 },
        },
      })),
    ],
  },
})

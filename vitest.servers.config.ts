import { defineConfig } from 'vitest/config'

/** The tests whose measurements another test next to them would lengthen. */
const alone = [
  'apps/directory/test/program/event-loop.servers.test.ts',
  'apps/directory/test/program/hostile-receivers.servers.test.ts',
  'apps/directory/test/program/pipelines.servers.test.ts',
]

/** The tests that also run on each version of PostgreSQL that `.ci/servers` starts for them. */
const flows = [
  'apps/directory/test/commands/seed/first-start.servers.test.ts',
  'apps/directory/test/kernel/store/engines/postgres/{failover,one-statement,plans,prepared-statements,time-limits}.servers.test.ts',
  'apps/directory/test/kernel/store/migrations/*.servers.test.ts',
]

/** The test of several processes, which takes long, so that it only runs on the newest of these versions. */
const processes = 'apps/directory/test/program/processes.servers.test.ts'

const newer = [
  ...projectOf('PostgreSQL 17', 'PLUMBLINE_TEST_POSTGRES_17', flows),
  ...projectOf('PostgreSQL 18', 'PLUMBLINE_TEST_POSTGRES_18', [...flows, processes]),
]

/** A project that runs tests on another server, if the variables of that server are set. */
function projectOf(name: string, server: string, include: readonly string[]) {
  const [url, programs] = [process.env[`${server}_URL`], process.env[`${server}_PROGRAMS`]]
  if (!url || !programs) return []
  const env = { PLUMBLINE_TEST_POSTGRES_URL: url, PLUMBLINE_TEST_POSTGRES_PROGRAMS: programs }
  const test = { name, env, include: [...include], sequence: { groupOrder: 0 } }
  return [{ extends: true as const, test }]
}

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
      ...newer,
    ],
  },
})

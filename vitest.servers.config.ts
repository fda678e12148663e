import { defineConfig } from 'vitest/config'

/** The tests whose measurements another test next to them would lengthen. */
const alone = [
  'apps/directory/test/program/event-loop.servers.test.ts',
  'apps/directory/test/program/pipelines.servers.test.ts',
]

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
    ],
  },
})

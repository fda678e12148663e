import { defineConfig } from 'vitest/config'
// By its path, because the configuration is loaded without the condition `source`.
import { contractReporter } from './packages/openapi/src/vitest.ts'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{packages,apps,bench}/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.servers.test.ts'],
    // By default one core is left idle, which is half of two.
    maxWorkers: '100%',
    // Nothing here is a matter of time: a test that hangs fails, one on a busy machine does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The contract of the directory's management API, whose test files share `apps/directory/test/harness.ts`.
    reporters: ['default', contractReporter({ thresholds: 100 })],
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
// By its path, because the configuration is loaded without the condition `source`.
import { contractReporter } from './packages/openapi/src/vitest.ts'

const ignore = [
  {
    operationId: 'getHealth',
    kind: 'problem' as const,
    reason: 'The handler does not call anything that can fail.',
  },
  {
    operationId: 'getAuthorizationServer',
    kind: 'problem' as const,
    reason: 'The handler does not call anything that can fail.',
  },
  {
    operationId: 'createAccessToken',
    kind: 'problem' as const,
    name: 'invalid',
    reason: 'The schema accepts every form, and the handler answers as RFC 6749 §5.2 defines.',
  },
]
const exclude = ['**/node_modules/**', '**/dist/**', '**/*.servers.test.ts']

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    // By default one core is left idle, which is half of two.
    maxWorkers: '100%',
    // Keeps the compiled modules of the workers, and of the processes that tests start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    // Nothing here is a matter of time: a test that hangs fails, one on a busy machine does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The contract of the directory's management API, whose test files share `apps/directory/test/harness.ts`.
    reporters: ['default', contractReporter({ thresholds: 100, ignore })],
    projects: [
      {
        extends: true,
        test: {
          name: 'libraries',
          include: ['{packages,bench}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude,
          // The modules of the libraries are stateless, so the files of a worker can share them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'directory',
          include: ['apps/**/*.test.ts'],
          exclude,
          // Modules keep state only by store, and each file opens its own.
          isolate: false,
          setupFiles: ['apps/directory/test/setup.ts'],
        },
      },
    ],
  },
})

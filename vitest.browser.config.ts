import { defineConfig } from 'vitest/config'

/** The tests of the console in Chromium; `.ci/run` installs it. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['apps/directory/test/browser/*.browser.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a server and a browser.
    maxWorkers: 1,
  },
})

import { defineConfig } from 'vitest/config'

const isDrawing = process.env.npm_lifecycle_event === 'screenshots'

/** The tests of the console, of the typed client and of the site in Chromium, and `npm run screenshots`. `.ci/run` installs it. */
export default defineConfig({
  resolve: { conditions: ['@plumbline/source'] },
  ssr: { resolve: { conditions: ['@plumbline/source'] } },
  test: {
    include: isDrawing
      ? ['apps/directory/test/browser/screenshots.ts']
      : ['{apps/directory,packages/openapi,docs}/test/browser/*.browser.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a server and a browser.
    maxWorkers: 1,
  },
})

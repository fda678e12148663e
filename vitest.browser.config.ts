import { defineConfig } from 'vitest/config'

const isDrawing = process.env.npm_lifecycle_event === 'screenshots'

/** The tests of the console in Chromium, and `npm run screenshots`. `.ci/run` installs it. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: [`apps/directory/test/browser/${isDrawing ? 'screenshots.ts' : '*.browser.ts'}`],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a server and a browser.
    maxWorkers: 1,
  },
})

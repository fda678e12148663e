import { defineConfig } from 'vitest/config'

/** The tests whose packages have a lockfile of their own, so that `npm ci` at the root stays small. */
export default defineConfig({
  resolve: { conditions: ['@plumbline/source'] },
  ssr: { resolve: { conditions: ['@plumbline/source'] } },
  test: {
    include: ['validators/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

import { contractReporter } from '@plumbline/contract/vitest'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Only in this repository, whose packages are not built. Leave out both lines in your project.
  resolve: { conditions: ['@plumbline/source'] },
  ssr: { resolve: { conditions: ['@plumbline/source'] } },
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts'],
    maxWorkers: 2,
    reporters: [
      'default',
      contractReporter({
        thresholds: 100,
        ignore: [
          {
            operationId: 'listBooks',
            kind: 'status',
            name: '503',
            reason: 'The books are in memory, so that no test can make them unavailable.',
          },
        ],
        files: {
          // A shard writes a file of its own, which `plumbline-contract` merges with the others.
          json: process.env.CONTRACT_JSON ?? 'reports/contract.json',
          html: 'reports/contract.html',
          junit: 'reports/contract.xml',
          github: process.env.GITHUB_STEP_SUMMARY,
        },
      }),
    ],
  },
})

import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
// By its path, because the configuration is loaded without the condition `@plumbline/source`.
import { contractReporter } from './packages/contract/src/vitest.ts'

const thresholds = { status: 100, problem: 100, mediaType: 100, parameter: 100, members: 90 }
/** The table has 100 lines: `CONTRACT_TABLE=1 npm test` prints it for a run that passes, too. */
const print = process.env.CONTRACT_TABLE ? 'always' : 'failures'
/** The answers that have a schema of a tenant: RFC 7643 §2.2 gives each characteristic a default. */
const ignore = [
  ['listSchemas', '200 /schemas/*'],
  ['createSchema', '201 '],
  ['getSchema', '200 '],
  ['replaceSchema', '200 '],
].flatMap(([operationId, place]) =>
  ['/attributes/*', '/attributes/*/subAttributes/*'].flatMap((part) =>
    ['required', 'caseExact', 'mutability', 'returned', 'uniqueness', 'multiValued'].map(
      (member) => ({
        operationId,
        kind: 'members' as const,
        name: `${place}${part}/${member} absent`,
        reason: 'An answer has the defaults of RFC 7643 §2.2.',
      }),
    ),
  ),
)
/** The folder of temporary files: in memory if there is room, because a disk syncs every transaction of SQLite. */
function temporaryFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 * 2 ** 30 ? memory : tmpdir()
}

const exclude = ['**/node_modules/**', '**/dist/**', '**/*.servers.test.ts']

export default defineConfig({
  test: {
    // One more than the cores: a worker waits for processes, timers and disks a sixth of its time.
    maxWorkers: availableParallelism() + 1,
    // Keeps the compiled modules of the workers, and of the processes that tests start.
    env: {
      TMPDIR: temporaryFolder(),
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    // Node imports the sources itself, in an eighth less processor time than vite's module runner. Without its loader,
    // `vi.mock` does not work.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=@plumbline/source'],
    // A snapshot that is missing fails its test; `--update=all` writes it.
    update: 'none',
    // Nothing here is a matter of time: a test that hangs fails, one on a busy machine does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The contract of the directory's management API, whose test files share `apps/directory/test/support/harness.ts`.
    reporters: ['default', contractReporter({ thresholds, ignore, print })],
    projects: [
      {
        extends: true,
        test: {
          name: 'libraries',
          include: ['{packages,scripts}/**/*.test.ts'],
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
          setupFiles: ['apps/directory/test/support/setup.ts'],
        },
      },
    ],
  },
})

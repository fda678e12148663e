import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('print-document.ts', import.meta.url))

/** The output of a process that creates other schemas before those of the document. */
function print(before: number) {
  return promisify(execFile)(process.execPath, [
    '--conditions=@plumbline/source',
    script,
    String(before),
  ])
}

it('a document has the same bytes in every process, with other schemas created before', async () => {
  const [first, second] = await Promise.all([print(1), print(40)])
  // The output of ArkType itself differs.
  expect(first.stderr).toContain('$defs')
  expect(first.stderr).not.toBe(second.stderr)
  expect(first.stdout).toContain('ArkTypeTreeBody:')
  expect(first.stdout).toBe(second.stdout)
})

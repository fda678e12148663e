/** Runs vitest itself: the project in `examples/contract-coverage`, and one whose handler breaks the contract. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const example = join(root, 'examples/contract-coverage')
const broken = join(root, 'packages/contract/test/fixtures/contract-violation')
const command = join(root, 'packages/contract/src/node/command.ts')

let work = ''
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'plumbline-coverage-'))
})
afterAll(() => rm(work, { recursive: true }))

/** Runs a program on Node with the sources of the packages. */
function run(args: readonly string[], cwd: string, variables: Record<string, string> = {}) {
  // The variables of the vitest that runs this file would change the one that it starts.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^VITEST|^TEST$|^GITHUB_STEP_SUMMARY$/.test(name),
  )
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1', ...variables }
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    const all = ['--conditions=@plumbline/source', ...args]
    execFile(process.execPath, all, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: `${stdout}${stderr}` }),
    )
  })
}

function runVitest(folder: string, args: readonly string[] = [], json = join(work, 'run.json')) {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  return run([program, 'run', '--configLoader', 'native', ...args], folder, {
    CONTRACT_JSON: json,
  })
}

async function readJson(file: string) {
  return JSON.parse(await readFile(join(work, file), 'utf8'))
}

/** The table of the example, if every part of the contract is covered or ignored. */
const table = `\
operation      | statuses | problems | media types | parameters | members | not covered
---------------|----------|----------|-------------|------------|---------|------------
all operations |      3/3 |      2/2 |         2/2 |        2/2 |     1/4 |
listBooks      |      1/1 |        - |           - |        2/2 |     1/4 | query:title absent, header:X-Request-Id absent, 200 empty
createBook     |      1/1 |      1/1 |         2/2 |          - |       - |
readBook       |      1/1 |      1/1 |           - |          - |       - |

Ignored:
  listBooks 503: The books are in memory, so that no test can make them unavailable.
`

describe('the project with three files and two workers', () => {
  it('the project passes with the merged report from all files', async () => {
    const { code, output } = await runVitest(example)
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain(table)
    const merged = await readJson('run.json')
    expect(merged).toMatchObject({ exchanges: 6, violationCount: 0, failures: [] })
    expect(
      merged.operations.map(({ operationId, exchanges }: Record<string, unknown>) => ({
        operationId,
        exchanges,
      })),
    ).toEqual([
      { operationId: 'listBooks', exchanges: 1 },
      { operationId: 'createBook', exchanges: 3 },
      { operationId: 'readBook', exchanges: 2 },
    ])
  })

  it('plumbline-contract merges two shards', async () => {
    for (const shard of ['1', '2']) {
      const json = join(work, 'shards', `${shard}.json`)
      const { code, output } = await runVitest(example, [`--shard=${shard}/2`], json)
      expect({ code, output }).toMatchObject({ code: 0 })
      // A shard does not reach the thresholds, and is not printed.
      expect(output).not.toContain('not covered')
    }
    const args = [command, join(work, 'shards'), '--threshold']
    const passed = await run([...args, '66'], root)
    expect(passed).toMatchObject({ code: 0 })
    expect(passed.output).toContain(
      'listBooks      |      1/2 |        - |           - |        2/2 |     1/4 | 503, query:title absent,',
    )
    const failed = await run([...args, '100'], root)
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.output).toContain('FAILED statuses: 75 % covered, expected 100 %')
  })

  it('vitest merges the blob files from two shards', async () => {
    for (const shard of ['1', '2']) {
      const blob = ['--reporter=blob', `--outputFile=${join(work, 'blobs', `${shard}.json`)}`]
      const { code, output } = await runVitest(example, [`--shard=${shard}/2`, ...blob])
      expect({ code, output }).toMatchObject({ code: 0 })
    }
    const { code, output } = await runVitest(example, [`--merge-reports=${join(work, 'blobs')}`])
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain(table)
  })
})

describe('the same API under node:test', () => {
  it('the merged reports from the processes cover the API', async () => {
    const reports = join(work, 'node-test')
    const files = ['create-book', 'read-books'].map((name) => `node-test/${name}.test.ts`)
    const tests = await run(['--test', ...files], example, { CONTRACT_REPORTS: reports })
    expect(tests).toMatchObject({ code: 0 })
    const { code, output } = await run([command, reports, '--threshold', '100'], root)
    expect(code).toBe(1)
    expect(output).toBe(`\
operation      | statuses | problems | media types | parameters | members | not covered
---------------|----------|----------|-------------|------------|---------|------------
all operations |      3/4 |      2/2 |         1/2 |        2/2 |     1/4 |
listBooks      |      1/2 |        - |           - |        2/2 |     1/4 | 503, query:title absent, header:X-Request-Id absent, 200 empty
createBook     |      1/1 |      1/1 |         1/2 |          - |       - | application/x-www-form-urlencoded
readBook       |      1/1 |      1/1 |           - |          - |       - |

FAILED statuses: 75 % covered, expected 100 %
FAILED media types: 50 % covered, expected 100 %
`)
  })
})

describe('a project whose handler breaks the contract, with `isolate: false` and a setup file', () => {
  it('the run fails, although the tests pass, and names the test for each violation', async () => {
    const { code, output } = await runVitest(broken)
    expect(code).toBe(1)
    expect(output).toMatch(/Tests +4 passed/)
    const { violations } = await readJson('run.json')
    const exchange = { method: 'GET', url: 'http://localhost/books/b1', status: 200 }
    const violation = { kind: 'body-mismatch', operationId: 'readBook', pointer: '/title' }
    const name = (file: string) => `the ${file} file > reads a book without a title`
    expect(violations).toMatchObject(
      ['first', 'second'].map((file) => ({
        ...exchange,
        ...violation,
        test: { name: name(file), file: `${file}.fixture.ts` },
      })),
    )
  })
})

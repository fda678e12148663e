import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRun } from '../../src/dry-runs/find-run.ts'
import { useSqliteStore } from '../support/sqlite-store.ts'

const { folder, storeOf } = useSqliteStore()

const step = { name: 'x', request: { method: 'GET', path: '/Users' }, expect: { status: 200 } }
const stepsOf = (count: number) => ({ source: 'a test', steps: Array(count).fill(step) })

it('reads a file with as many requests as a run may have', async () => {
  const file = join(folder, 'most.json')
  writeFileSync(file, JSON.stringify(stepsOf(10_000)))
  expect((await findRun(storeOf(), file)).steps).toHaveLength(10_000)
})

it.each([
  ['text', 'not { JSON \u001b[2J', 'the run is not valid JSON'],
  ['JSON that is cut off', '{"source": "a test", "steps": [', 'the run is not valid JSON'],
  ['very deep JSON', '['.repeat(1_000_000), 'the run is not valid JSON'],
  ['a list', '[]', 'source of the run must be text'],
  ['no steps', '{"source": "a test", "steps": []}', 'steps of the run must be a list of steps'],
  ['too many steps', JSON.stringify(stepsOf(10_001)), 'the run has more than 10000 requests'],
  ['more than 64 MiB', ' '.repeat(64 * 2 ** 20 + 1), 'the run is larger than 64 MiB'],
])('rejects a file with %s', async (_, text, message) => {
  const file = join(folder, 'damaged.json')
  writeFileSync(file, text)
  await expect(findRun(storeOf(), file)).rejects.toThrow(message)
})

it('rejects a file that does not exist', async () => {
  await expect(findRun(storeOf(), join(folder, 'missing.json'))).rejects.toThrow('ENOENT')
})

it('rejects the id of a recording that does not exist', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  await expect(findRun(storeOf(), id)).rejects.toThrow(`recording ${id} not found`)
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { Reporter } from 'vitest/node'
import { report, violated } from '../lib/coverage/fixture.cases.ts'
import { formatReport } from '../lib/coverage/format-report.ts'
import { addReport } from './meta.ts'
import {
  type ContractReporter,
  type ContractReporterOptions,
  contractReporter,
} from './vitest-reporter.ts'

let root = ''
let exitCode: typeof process.exitCode
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbline-reporter-'))
  exitCode = process.exitCode
})
afterEach(async () => {
  process.exitCode = exitCode
  await rm(root, { recursive: true })
})

const project = { name: '' }
const files = ['a.test.ts', 'b.test.ts']

interface Run extends ContractReporterOptions {
  /** The reports of each file that ran. */
  readonly ran?: Readonly<Record<string, readonly object[]>>
  readonly testNamePattern?: RegExp
  readonly reason?: string
}

/** Runs a reporter as vitest does; returns the output and whether the exit code was set to 1. */
async function run({ ran = {}, testNamePattern, reason = 'passed', ...options }: Run) {
  const reporter = contractReporter(options)
  const output: string[] = []
  const log = (text: string) => output.push(text)
  process.exitCode = 0
  reporter.onInit({
    config: { root, testNamePattern },
    logger: { log, error: log },
    globTestSpecifications: async () => files.map((file) => ({ project, moduleId: `/${file}` })),
  })
  const modules = Object.entries(ran).map(([file, reports]) => {
    const meta = {}
    for (const one of reports) addReport(meta, one as typeof report)
    return { project, moduleId: `/${file}`, relativeModuleId: file, meta: () => meta }
  })
  await reporter.onTestRunEnd(modules, [], reason)
  return { output: output.join('\n'), failed: process.exitCode === 1 }
}

describe('a whole run', () => {
  it('a whole run merges all file reports, prints the table, and writes each file with a path', async () => {
    const ran = { 'a.test.ts': [report], 'b.test.ts': [report, report] }
    const file = 'out/contract.json'
    const { output, failed } = await run({
      ran,
      files: { json: file, html: undefined, github: '' },
    })
    expect(failed).toBe(false)
    expect(output).toBe(`\n${formatReport(report)}`)
    expect(JSON.parse(await readFile(join(root, file), 'utf8'))).toMatchObject({ exchanges: 9 })
  })

  it('a whole run sets the exit code if a threshold is not reached', async () => {
    const ran = { 'a.test.ts': [report], 'b.test.ts': [] }
    const { output, failed } = await run({ ran, thresholds: { status: 67 } })
    expect(failed).toBe(true)
    expect(output).toContain('FAILED statuses: 66.6 % covered, expected 67 %')
  })

  it.each<[title: string, Run, printed: string]>([
    ['nothing if it passes', { ran: { 'a.test.ts': [report], 'b.test.ts': [] } }, ''],
    [
      'the table if a threshold is not reached',
      { ran: { 'a.test.ts': [report], 'b.test.ts': [] }, thresholds: { status: 67 } },
      'FAILED statuses: 66.6 % covered, expected 67 %',
    ],
  ])('a whole run with `print: failures` prints %s', async (_, options, printed) => {
    const { output, failed } = await run({ ...options, print: 'failures' })
    expect(output).toContain(printed)
    expect({ failed, isEmpty: output === '' }).toEqual({
      failed: printed !== '',
      isEmpty: printed === '',
    })
  })

  it.each<[title: string, object, printed: string]>([
    ['nothing, although a threshold is not reached', report, ''],
    ['one line for violations', violated, 'contractReporter: 1 violation'],
  ])('a whole run whose tests failed prints %s', async (_, one, printed) => {
    const ran = { 'a.test.ts': [one], 'b.test.ts': [] }
    const { output, failed } = await run({ ran, thresholds: { status: 67 }, reason: 'failed' })
    // The exit code of failed tests is set by vitest.
    expect({ output, failed }).toEqual({ output: printed, failed: printed !== '' })
  })

  it("a violation's file is named with the path below the root", async () => {
    const { output, failed } = await run({ ran: { 'a.test.ts': [violated], 'b.test.ts': [] } })
    expect(failed).toBe(true)
    expect(output).toContain('in a.test.ts > books > are read')
  })

  it('a run without a report fails, because a recorder without vitestRunner is not merged', async () => {
    const { output, failed } = await run({ ran: { 'a.test.ts': [], 'b.test.ts': [] } })
    expect(failed).toBe(true)
    expect(output).toContain('no test file created a recorder with `vitestRunner`')
  })
})

describe('a partial run', () => {
  const rules = { thresholds: 100, ignore: [{ name: 'other', reason: 'r' }] }

  it.each<[string, Run]>([
    ['some files', { ran: { 'a.test.ts': [report] } }],
    [
      'the tests of a pattern',
      { ran: { 'a.test.ts': [report], 'b.test.ts': [] }, testNamePattern: /a/ },
    ],
    ['files without a recorder', { ran: { 'b.test.ts': [] } }],
  ])('a partial run passes and prints nothing: %s', async (_, part) => {
    expect(await run({ ...rules, ...part })).toEqual({ output: '', failed: false })
  })

  it('a partial run fails for a violation', async () => {
    const { output, failed } = await run({ ...rules, ran: { 'a.test.ts': [violated] } })
    expect(failed).toBe(true)
    expect(output).toContain('FAILED 1 violation')
    expect(output).not.toContain('expected 100 %')
  })

  it('a partial run writes the files, so they can be merged', async () => {
    await run({ ...rules, ran: { 'a.test.ts': [report] }, files: { json: 'shard.json' } })
    const written = JSON.parse(await readFile(join(root, 'shard.json'), 'utf8'))
    expect(written).toMatchObject({ exchanges: 3, failures: [] })
  })
})

it('an interrupted run is not reported', async () => {
  const ran = { 'a.test.ts': [violated], 'b.test.ts': [] }
  expect(await run({ ran, reason: 'interrupted' })).toEqual({ output: '', failed: false })
})

it('invalid rules are rejected before the tests run', () => {
  expect(() => contractReporter({ ignore: [{ name: 'a', reason: '' }] })).toThrow(TypeError)
  expect(() => contractReporter({ thresholds: 101 })).toThrow(TypeError)
})

it('a report from another version is rejected', async () => {
  const other = { ...report, format: 'plumbline-contract/0' }
  await expect(run({ ran: { 'a.test.ts': [other], 'b.test.ts': [] } })).rejects.toThrow(
    /^a\.test\.ts: not a report of a recorder: format must be plumbline-contract\/2$/,
  )
})

it('an unknown file format is rejected', async () => {
  const ran = { 'a.test.ts': [report], 'b.test.ts': [] }
  const files = { pdf: 'a.pdf' } as ContractReporterOptions['files']
  await expect(run({ ran, files })).rejects.toThrow(/files: pdf is not a format/)
})

it('the reporter is a vitest reporter', () => {
  expectTypeOf<ContractReporter>().toExtend<Reporter>()
})

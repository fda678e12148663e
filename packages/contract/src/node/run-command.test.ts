import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { report, violated } from '../lib/coverage/fixture.cases.ts'
import { formatReport } from '../lib/coverage/format-report.ts'
import { parseArguments } from './parse-arguments.ts'
import { runCommand } from './run-command.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-contract-'))
  await write('one.json', report)
  await write('two.json', report)
  await write('notes.txt', 'not a report')
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

/** Runs the command in the folder. */
async function run(...args: string[]) {
  let [output, errors] = ['', '']
  const code = await runCommand(args, {
    stdout: { write: (text) => (output += text) },
    stderr: { write: (text) => (errors += text) },
    cwd: () => folder,
  })
  return { code, output, errors }
}

it('invalid arguments throw a CommandError', () => {
  expect(() => parseArguments([])).toThrow(expect.objectContaining({ name: 'CommandError' }))
})

it('members need their own threshold', async () => {
  const items = [{ kind: 'members', name: '200 /note null', count: 0 }]
  const operations = report.operations.map((one) => ({ ...one, items }))
  await write('one.json', { ...report, operations })
  expect(await run('one.json', '--threshold', '100')).toMatchObject({ code: 0 })
  const { code, output } = await run('one.json', '--threshold', 'members=90')
  expect(code).toBe(1)
  expect(output).toContain('FAILED members: 0 % covered, expected 90 %')
})

describe('plumbline-contract --tests', () => {
  const day = 24 * 60 * 60 * 1_000
  const at = (date: string) => Date.parse(`${date}T12:00:00Z`)
  const operation = (operationId: string, seen: number | undefined, items: readonly object[]) => ({
    operationId,
    method: 'GET',
    path: `/${operationId}`,
    exchanges: seen === undefined ? 0 : 3,
    ...(seen === undefined ? {} : { seen }),
    items,
  })
  const item = (name: string, count: number, seen?: number) => ({
    kind: 'members',
    name,
    count,
    ...(seen === undefined ? {} : { seen }),
  })
  const to = at('2026-03-31')
  const live = {
    ...violated,
    period: { from: to - 60 * day, to },
    operations: [
      operation('readBook', to, [
        item('200 /note', 3, to),
        item('200 /note absent', 1, at('2026-02-02')),
        item('200 /note null', 0),
      ]),
      operation('listBooks', undefined, [item('200 empty', 0)]),
    ],
    problems: [{ kind: 'problem', name: 'invalid', count: 1, seen: to }],
    violations: [{ ...violated.violations[0], count: 2 }],
    violationCount: 2,
  }
  const tests = {
    ...report,
    operations: [operation('readBook', to, [item('200 /note', 0), item('200 /note absent', 1)])],
  }

  it('the command prints production violations, untested items, and removable items', async () => {
    await write('monday.json', live)
    await write('tuesday.json', {
      ...live,
      violationCount: 1,
      violations: [{ ...live.violations[0], count: 5 }],
    })
    await write('tests.json', tests)
    const { code, output } = await run('monday.json', 'tuesday.json', '--tests', 'tests.json')
    expect(code).toBe(1)
    expect(output).toBe(`\
Violated in production:
  7 exchanges: readBook: GET http://localhost/books/b1, status 200
    body-mismatch at /title: expected string, received number

Seen in production, and not in a test:
  readBook 200 /note (6 exchanges)
  default problem invalid (2 exchanges)

Not seen in production for 30 days:
  readBook 200 /note absent (last on 2026-02-02)
  readBook 200 /note null (never)
  listBooks, the whole operation (never)
`)
  })

  it('the command passes without violations, and lists no items after fewer days', async () => {
    await write('live.json', { ...live, violations: [], violationCount: 0 })
    await write('tests.json', tests)
    const { code, output } = await run('live.json', '--tests', 'tests.json', '--days', '90')
    expect(code).toBe(0)
    expect(output).toContain('Violated in production:\n  none\n')
    expect(output).toContain('for 90 days:\n  The reports are about 60 days, too few to tell.\n')
  })

  it('the command merges production reports into one file', async () => {
    await write('live.json', live)
    await write('tests.json', tests)
    await run('live.json', 'live.json', '--tests', 'tests.json', '--json', 'all.json')
    const merged = JSON.parse(await readFile(join(folder, 'all.json'), 'utf8'))
    expect(merged).toMatchObject({
      period: live.period,
      violations: [{ count: 4 }],
      operations: [{ seen: to, items: [{ count: 6, seen: to }, {}, { count: 0 }] }, {}],
    })
  })

  it.each(['x', '1.5', '-1'])('the command rejects --days %s', async (days) => {
    expect(await run('one.json', '--tests', 'two.json', `--days=${days}`)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is not a number of days'),
    })
  })
})

describe('plumbline-contract', () => {
  it('the command prints the merged report from several files', async () => {
    const { code, output } = await run('one.json', 'two.json')
    expect(code).toBe(0)
    expect(output).toBe(formatReport(report))
  })

  it('the command reads the .json files in a folder', async () => {
    await run('.', '--json', 'merged/all.json')
    const merged = JSON.parse(await readFile(join(folder, 'merged/all.json'), 'utf8'))
    expect(merged).toMatchObject({ exchanges: 6, operations: [{ exchanges: 4 }, { exchanges: 2 }] })
  })

  it('the command merges its own output files', async () => {
    await run('one.json', 'two.json', '--json', 'first.json')
    await run('first.json', 'one.json', '--json', 'second.json')
    const merged = JSON.parse(await readFile(join(folder, 'second.json'), 'utf8'))
    expect(merged).toMatchObject({ exchanges: 9 })
  })

  it('the command fails for a violation', async () => {
    await write('two.json', violated)
    const { code, output } = await run('.')
    expect(code).toBe(1)
    expect(output).toContain('in test/books.test.ts > books > are read')
  })

  it.each([
    [['--threshold', '0'], 0],
    [['--threshold', '100'], 1],
    [['--threshold', 'status=66.6'], 0],
    [['--threshold', 'status=66', '--threshold', 'mediaType=51'], 1],
    [['--threshold', '51', '--threshold', 'problem=0', '--threshold', 'mediaType=50'], 1],
    [['--threshold', '50', '--threshold', 'problem=0'], 0],
    [['--threshold', '100', '--partial'], 0],
  ])('the command compares each share with the threshold: %j', async (args, code) => {
    expect((await run('one.json', ...args)).code).toBe(code)
  })

  it('the command reads the ignored items from a file', async () => {
    const reason = 'Tested by hand.'
    await write('ignore.json', [
      { kind: 'problem', reason },
      { operationId: 'createBook', name: '303', reason },
    ])
    const args = ['--threshold', 'problem=100', '--threshold', 'status=100']
    const { code, output } = await run('one.json', ...args, '--ignore', 'ignore.json')
    expect(code).toBe(0)
    expect(output).toContain('  createBook 303: Tested by hand.\n')
  })

  it('the command writes each format to a file, and appends the GitHub summary', async () => {
    await write('summary.md', '# Job\n')
    const formats = ['html', 'json', 'junit', 'github'] as const
    const names = { html: 'a.html', json: 'a.json', junit: 'a.xml', github: 'summary.md' }
    const args = formats.flatMap((format) => [`--${format}`, names[format]])
    expect((await run('one.json', ...args)).code).toBe(0)
    for (const format of formats) {
      const written = await readFile(join(folder, names[format]), 'utf8')
      const before = format === 'github' ? '# Job\n' : ''
      expect(written).toBe(before + formatReport(report, { format }))
    }
  })

  it('the command prints the usage', async () => {
    const { code, output } = await run('--help')
    expect(code).toBe(0)
    expect(output).toMatch(/^Usage: plumbline-contract /)
  })
})

describe('invalid arguments and files', () => {
  it.each<[string, string[], RegExp]>([
    ['no files', [], /no files\nUsage:/],
    ['an unknown option', ['one.json', '--strict'], /--strict/],
    ['a threshold that is not a number', ['one.json', '--threshold', 'all'], /all is not a perc/],
    ['a threshold of an unknown kind', ['one.json', '--threshold', 'body=1'], /body is not one of/],
    ['a threshold above 100', ['one.json', '--threshold', '101'], /must be 0 to 100, not 101/],
    ['a missing file', ['three.json'], /three\.json: ENOENT/],
    ['a file that is not JSON', ['notes.txt'], /notes\.txt: .*JSON/],
    ['JSON that is not a report', ['ignore.json'], /ignore\.json: not a report of a recorder/],
    ['a folder without reports', ['empty'], /empty: the folder does not have \.json files/],
    ['a missing ignore file', ['one.json', '--ignore', 'none.json'], /none\.json: ENOENT/],
    [
      'an entry without a reason',
      ['one.json', '--ignore', 'ignore.json'],
      /does not have a reason/,
    ],
    [
      'an entry with an unknown member',
      ['one.json', '--ignore', 'typo.json'],
      /member operation$/m,
    ],
    ['an entry that is not an object', ['one.json', '--ignore', 'text.json'], /must be an object/],
    ['a member that is not a string', ['one.json', '--ignore', 'number.json'], /must be a string/],
    ['an ignore file that is not a list', ['one.json', '--ignore', 'one.json'], /must be a list/],
  ])('invalid input is rejected with exit code 2: %s', async (_, args, message) => {
    await write('ignore.json', [{ name: '303' }])
    await write('typo.json', [{ operation: 'createBook', reason: 'r' }])
    await write('text.json', ['createBook'])
    await write('number.json', [{ name: 303, reason: 'r' }])
    await mkdir(join(folder, 'empty'))
    const { code, output, errors } = await run(...args)
    expect(code).toBe(2)
    expect(output).toBe('')
    expect(errors).toMatch(/^plumbline-contract: /)
    expect(errors).toMatch(message)
  })
})

it('an internal error is not hidden', async () => {
  const broken = new RangeError('broken')
  const stdout = {
    write: () => {
      throw broken
    },
  }
  const run = runCommand(['one.json'], { stdout, stderr: stdout, cwd: () => folder })
  await expect(run).rejects.toBe(broken)
})

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMPILE_ERRORS, PROGRAM } from './compile-errors.cases.ts'
import { SCHEMA_ERRORS, SCHEMA_PROGRAM } from './schema-errors.cases.ts'
import { STREAM_ERRORS, STREAM_PROGRAM } from './stream-errors.cases.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Below the repository, so that the packages are resolved. The folder is not committed.
mkdirSync(join(root, '.compile-errors'), { recursive: true })
const folder = mkdtempSync(join(root, '.compile-errors/run-'))

const rowsOf = (program: string, errors: typeof COMPILE_ERRORS) =>
  errors.map((one) => ({ ...one, program, text: program.replace(one.from, () => one.to) }))
const rows = [
  ...rowsOf(PROGRAM, COMPILE_ERRORS),
  ...rowsOf(STREAM_PROGRAM, STREAM_ERRORS),
  ...rowsOf(SCHEMA_PROGRAM, SCHEMA_ERRORS),
]
const programs = [PROGRAM, STREAM_PROGRAM, SCHEMA_PROGRAM]

let output = ''
beforeAll(async () => {
  for (const [at, text] of [...programs, ...rows.map(({ text }) => text)].entries()) {
    writeFileSync(join(folder, `${at}.ts`), text)
  }
  const options = { extends: '../../tsconfig.json', include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const program = join(root, 'node_modules/.bin/tsc')
  output = await new Promise<string>((resolve) => {
    execFile(program, ['-p', folder, '--pretty', 'false'], { maxBuffer: 2 ** 26 }, (_, text) =>
      resolve(text),
    )
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The messages for a program. The lines below the first one of a message are indented. */
function messagesFor(at: number): string {
  const all = output.split(/\n(?! )/)
  return all.filter((message) => message.includes(`/${at}.ts(`)).join('\n')
}

it('a program without a mistake compiles', () => {
  expect(programs.map((_, at) => messagesFor(at))).toEqual(['', '', ''])
})

it.each(rows.map((one, at) => ({ ...one, at: at + programs.length })))(
  '$mistake is a compile error that names it',
  ({ at, from, program, message, errors = 1 }) => {
    expect(program).toContain(from)
    expect(messagesFor(at)).toContain(message)
    // One mistake is one error: others would hide it. TS6133 is a variable that is not used any more.
    expect(messagesFor(at).match(/ error TS(?!6133)/g)).toHaveLength(errors)
  },
)

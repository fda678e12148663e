import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMPILE_ERRORS, PROGRAM } from './compile-errors.cases.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Below the repository, so that the packages are resolved. The folder is not committed.
mkdirSync(join(root, '.compile-errors'), { recursive: true })
const folder = mkdtempSync(join(root, '.compile-errors/run-'))

let output = ''
beforeAll(async () => {
  const variants = COMPILE_ERRORS.map(({ from, to }) => PROGRAM.replace(from, () => to))
  for (const [at, text] of [PROGRAM, ...variants].entries()) {
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
  expect(messagesFor(0)).toBe('')
})

it.each(COMPILE_ERRORS.map((one, at) => ({ ...one, at: at + 1 })))(
  '$mistake is a compile error that names it',
  ({ at, from, message }) => {
    expect(PROGRAM).toContain(from)
    expect(messagesFor(at)).toContain(message)
  },
)

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { amount, isShort } from '../short.ts'
import {
  type Checked,
  diagnose,
  inProjects,
  messagesFor,
  root,
  writeProject,
} from '../types/diagnose.ts'
import { CONTENDERS } from './contenders.ts'
import { MISTAKES, REPLACEMENTS } from './mistakes.ts'

/** A program's size, and the compiler's verdicts. */
export interface Compiled {
  readonly lines: number
  readonly checked: Checked
  /** Whether each entry in `MISTAKES` is a compile error. */
  readonly rejections: readonly boolean[]
}

/**
 * Compiles each program, as it is and with each mistake, against the built packages' types. Throws if a program does
 * not compile without a mistake.
 */
export async function compilePrograms(): Promise<readonly Compiled[]> {
  // A short run follows a build.
  const isBuilt = isShort && existsSync(join(root, 'packages/openapi/dist'))
  if (!isBuilt) await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: root })
  return await inProjects(async (folder) => {
    const texts = CONTENDERS.map(({ file }) => readFileSync(join(root, file), 'utf8'))
    const rejections = await findRejections(folder, texts)
    const compiled: Compiled[] = []
    for (const [at, text] of texts.entries()) {
      const project = writeProject(folder, `alone-${at}`, { 'bookshop.ts': text }, NODE)
      const checked = await diagnose(project)
      compiled.push({ lines: countLines(text), checked, rejections: rejections[at] ?? [] })
    }
    return compiled
  })
}

/** Compiles all programs with a mistake together, each in a separate file. */
async function findRejections(
  folder: string,
  texts: readonly string[],
): Promise<readonly (readonly boolean[])[]> {
  const files: Record<string, string> = {}
  for (const [at, text] of texts.entries()) {
    const file = CONTENDERS[at]?.file ?? ''
    for (const [number, mistake] of MISTAKES.slice(0, COMPILED).entries()) {
      const [from, to] = REPLACEMENTS[file]?.[mistake] ?? ['', '']
      if (from === '' || !text.includes(from)) throw new Error(`${file} does not have ${from}`)
      files[`p${at}-m${number}.ts`] = text.replace(from, () => to)
    }
  }
  const messages = await messagesFor(writeProject(folder, 'mistakes', files, NODE))
  return texts.map((_, at) =>
    MISTAKES.map((_, number) => messages.includes(`p${at}-m${number}.ts(`)),
  )
}

/** Counts a program's lines without comments and empty lines. */
function countLines(source: string): number {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** The mistakes that are compiled. */
const COMPILED = amount(MISTAKES.length, 1)

/** Fastify's types refer to Node's, so every program gets them. */
const NODE = { types: ['node'], conditions: [] } as const

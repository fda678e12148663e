import { createInterface } from 'node:readline'
import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types.js'
import type { Outcome } from '../lib/report.ts'

/** A stream the command writes to. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

/** A stream's colors: none with NO_COLOR, or if it is not a terminal. */
export function colorsFor(
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  return picocolors.createColors(output.isTTY === true && !isPlain)
}

/** Shows how many checks ran, in one terminal line that is overwritten. Other outputs show nothing. */
export interface ProgressLine {
  show(outcome: Outcome, done: number, total: number): void
  clear(): void
}

/** Creates a stream's progress line. */
export function createProgressLine(output: Output): ProgressLine {
  let failed = 0
  const write = (text: string): void => {
    if (output.isTTY === true) output.write(`\r\u001b[K${text}`)
  }
  return {
    show: ({ id, status }, done, total) => {
      if (status === 'failed' || status === 'broken') failed += 1
      write(`${done}/${total}  ${failed} failed  ${id}`)
    },
    clear: () => write(''),
  }
}

/** Asks a question in a terminal. Anything except `y` or `yes` is a no; so are Ctrl-C and the end of the input. */
export async function ask(
  question: string,
  { stdin, stderr }: { stdin: NodeJS.ReadableStream; stderr: NodeJS.WritableStream },
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('SIGINT', () => resolve('no'))
      lines.once('close', () => resolve('no'))
      lines.question(question, resolve)
    })
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

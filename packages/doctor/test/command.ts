import { PassThrough } from 'node:stream'
import { runCommand } from '../src/cli/run-command.ts'
import { createReference, TOKEN } from './reference.ts'
import { listenerOf, type Served, serve } from './serve.ts'

/** The surroundings of the command. */
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** The text that a person types in a terminal; without it, no stream is a terminal. */
  readonly typed?: string
  /** The stream that is not a terminal, although the others are. */
  readonly piped?: 'stdin' | 'stderr'
}

/** Runs the command in a folder. */
export async function runIn(
  folder: string,
  args: readonly string[],
  { env = {}, typed, piped }: Surroundings = {},
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const isTTY = typed !== undefined
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = runCommand(args, {
    stdin: Object.assign(stdin, { isTTY: isTTY && piped !== 'stdin' }),
    stdout: Object.assign(stdout, { isTTY }),
    stderr: Object.assign(stderr, { isTTY: isTTY && piped !== 'stderr' }),
    env,
    cwd: () => folder,
    on: () => undefined,
    off: () => undefined,
    exit: () => undefined,
  })
  if (typed !== undefined) stdin.write(typed)
  return { code: await code, output: read(stdout), errors: read(stderr) }
}

const read = (stream: PassThrough): string => String(stream.read() ?? '')

/** The reference over HTTP, and the requests that it received. */
export async function serveReference(
  answer: (request: Request, usual: () => Promise<Response>) => Promise<Response> = (_, usual) =>
    usual(),
): Promise<Served & { readonly url: string; readonly received: string[] }> {
  const reference = createReference()
  const received: string[] = []
  const listener = listenerOf((request) => {
    received.push(`${request.method} ${new URL(request.url).pathname}`)
    return answer(request, () => reference(request))
  }, 'https://scim.example')
  const served = await serve(listener)
  return { ...served, url: `${served.origin}/scim/v2`, received }
}

/** The options of a fast examination that may write. */
export const FAST = ['--rate', '100000', '--yes', '--token', TOKEN]

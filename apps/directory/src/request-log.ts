import type { Principal } from './auth.ts'
import { codeOf } from './store/store.ts'

/** One line about one request: never a token, a password, a body, or what a client searches for. */
export interface LogEntry {
  readonly time: string
  readonly level: 'info' | 'error'
  readonly method: string
  /** The pattern of the route; null where none matched. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
  /** That of the token; null where there is none that is taken. */
  readonly tenant: string | null
  /** What went wrong inside, of a 500 or 503, or of an operation of a bulk request. */
  readonly error?: string
}

/** Takes note of a request. */
export type Log = (entry: LogEntry) => void

/** Writes entries as lines of JSON, those of one turn of the event loop at once. */
export function createLog(write: (lines: string) => void): Log & { readonly flush: () => void } {
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    write(lines)
    lines = ''
  }
  const log = (entry: LogEntry): void => {
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify(entry)}\n`
  }
  return Object.assign(log, { flush })
}

/** What is learned about a request on its way. */
export interface RequestRecord {
  /** Whom a request comes from that the server itself makes of another; null for one from outside. */
  principal: Principal | null
  /** The origin by which resources name their location; null for that of the request. */
  origin: string | null
  route: string | null
  tenant: string | null
  error: unknown
}

/**
 * An error and its causes in one line, without their messages, which may quote what a client sent: the
 * name and the code of each, and the first frame of the stack.
 */
export function errorLine(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 5; at = at.cause) {
    parts.push(`${at.name} ${codeOf(at)}`.trim())
  }
  return `${parts.join(' < ')} ${error instanceof Error ? frameOf(error) : ''}`.trim()
}

/** The first frame of a stack. A message of several lines may hold lines that look like frames. */
function frameOf({ message, stack = '' }: Error): string {
  const name = NAME.exec(stack)?.[0] ?? ''
  if (!stack.startsWith(message, name.length)) return ''
  return FRAME.exec(stack.slice(name.length + message.length))?.[1] ?? ''
}

// A stack of V8 is the name, the message and the frames, each of which is a line.
const NAME = /^[\w$]+(?: \[\w+\])?(?:: )?/
const FRAME = /^\n {4}(at [^\n]+:\d+:\d+\)?)(?:\n|$)/

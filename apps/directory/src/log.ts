import type { Principal } from './auth.ts'

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
export interface Note {
  /** Whom a request comes from that the server itself makes of another; null for one from outside. */
  principal: Principal | null
  route: string | null
  tenant: string | null
  error: unknown
}

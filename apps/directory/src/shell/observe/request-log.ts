import type { LoggedFailure } from '../../kernel/jobs/job-lines.ts'
import type { JobName } from '../../kernel/jobs/job-names.ts'
import { codeOf } from '../../kernel/store/driver-errors.ts'
import { LOG_LEVELS, type LogLevel } from './log-level.ts'

/** A request's log entry. It never contains a token, a password, a body or a filter. */
export interface LogEntry {
  readonly time: string
  /** The answer's `X-Request-Id`. */
  readonly requestId: string
  readonly level: LogLevel
  readonly method: string
  /** The route's pattern; null if no route matched. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
  /** The token's tenant; null without a valid token. */
  readonly tenant: string | null
  /** The token's id; null without a valid token, and for `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The internal error behind a 500 or 503, also within a bulk request. */
  readonly error?: string
  /** The request's span, under the names log collectors know (OpenTelemetry, Trace Context in non-OTLP Log Formats). */
  readonly trace_id?: string
  readonly span_id?: string
}

/** Logs a request. */
export type Log = (entry: LogEntry) => void

/** A background job's failure, as a log entry. */
export interface JobEntry {
  readonly time: string
  readonly level: 'error'
  readonly job: JobName
  /** The tenant; null if the work was for all tenants. */
  readonly tenant: string | null
  readonly error: string
  /** How many failures of the job were not logged since its last entry. */
  readonly suppressed: number
  /** Some of their tenants. */
  readonly suppressedTenants: readonly string[]
}

/** Returns the log entry for a background job's failure. */
export function jobEntry(failure: LoggedFailure, time: number): JobEntry {
  const { job, tenantId, error, suppressed, suppressedTenants } = failure
  return {
    time: new Date(time).toISOString(),
    level: 'error',
    job,
    tenant: tenantId,
    error: errorLine(error),
    suppressed,
    suppressedTenants,
  }
}

/** A log entry about the process itself. */
export interface ProcessEntry {
  readonly time: string
  readonly level: 'error'
  readonly message: string
  /** The error behind the message. */
  readonly error?: string
  /** The parts that a stopping process did not wait for. */
  readonly hanging?: readonly string[]
}

/** Returns an error about the process as a log entry. */
export function processEntry(
  message: string,
  { error, ...more }: { readonly error?: unknown } & Pick<ProcessEntry, 'hanging'>,
): ProcessEntry {
  const time = new Date().toISOString()
  const cause = error === undefined ? {} : { error: errorLine(error) }
  return { time, level: 'error', message, ...cause, ...more }
}

/** A log's output. */
export interface LogOutput {
  (entry: LogEntry | JobEntry | ProcessEntry): void
  /** Writes the entries that wait for the end of the event loop's turn. */
  readonly flush: () => void
}

/** Options for `createLog`. */
export interface LogOptions {
  /** Entries below this level are not written; defaults to `info`. */
  readonly level?: LogLevel
}

/** Writes entries as JSON lines. Entries from the same turn of the event loop are one write. */
export function createLog(
  write: (lines: string) => void,
  { level: least = 'info' }: LogOptions = {},
): LogOutput {
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    write(lines)
    lines = ''
  }
  const log = (entry: LogEntry | JobEntry | ProcessEntry): void => {
    if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(least)) return
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify(entry)}\n`
  }
  return Object.assign(log, { flush })
}

/**
 * Formats an error and its causes in one line: each name and code, and the first stack frame. Messages are omitted,
 * because they may quote the client's data, except for codes whose messages only name a table or a column.
 */
export function errorLine(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 5; at = at.cause) {
    const code = codeOf(at)
    const [message = ''] = NAMING.has(code) ? at.message.split('\n', 1) : []
    parts.push([at.name, code, message && `(${message})`].join(' ').trim())
  }
  return `${parts.join(' < ')} ${error instanceof Error ? frameOf(error) : ''}`.trim()
}

/** Returns a stack's first frame. A multi-line message may contain lines that look like frames. */
function frameOf({ message, stack = '' }: Error): string {
  const name = NAME.exec(stack)?.[0] ?? ''
  if (!stack.startsWith(message, name.length)) return ''
  return FRAME.exec(stack.slice(name.length + message.length))?.[1] ?? ''
}

/** SQLSTATE: the right to a table is missing, or the table, the column or the schema. */
const NAMING: ReadonlySet<string | number> = new Set(['42501', '42P01', '42703', '3F000'])

// A V8 stack is the name, the message, and one line per frame.
const NAME = /^[\w$]+(?: \[\w+\])?(?:: )?/
const FRAME = /^\n {4}(at [^\n]+:\d+:\d+\)?)(?:\n|$)/

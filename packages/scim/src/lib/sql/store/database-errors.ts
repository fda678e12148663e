import { defined } from '@plumbline/base'
import { isJsonObject, type JsonObject, own } from '../../json.ts'
import { UNIQUE_CODES, UNIQUE_MESSAGE } from '../../unique-violation.ts'

/**
 * Why a database rejects a row, or a statement because of an operator or a type. The value of a `range` has the right
 * type, and is too large or too small. A `generated` column accepts no value.
 */
export type ViolationKind =
  | 'taken'
  | 'missing'
  | 'long'
  | 'reference'
  | 'check'
  | 'type'
  | 'range'
  | 'generated'
  | 'operator'

/** A rejected row, and what the error says about it. The parts that it does not say are undefined or empty. */
export interface Violation {
  readonly kind: ViolationKind
  /** The driver's error. */
  readonly error: JsonObject
  readonly message: string
  /** The table with the constraint. */
  readonly table: string | undefined
  /** The columns with the constraint. */
  readonly columns: readonly string[]
  /** The constraint's name or expression. */
  readonly constraint: string | undefined
  /** The position in the statement's text that the error points to, starting at 1. */
  readonly position: number | undefined
  /** The position of the rejected parameter, starting at 1. */
  readonly parameter: number | undefined
  /** The maximum length of the rejected string. */
  readonly length: number | undefined
}

/** Finds a violation in a thrown value or its causes, because query libraries wrap errors. Null for other errors. */
export function findViolation(error: unknown, depth = 0): Violation | null {
  if (!isJsonObject(error) || depth > 5) return null
  const codes = [error.code, error.errno, error.originalCode].map(String)
  const message = String(error.originalMessage ?? error.message ?? '')
  const rule = RULES.find(
    ({ known, pattern }) => codes.some((code) => known.has(code)) || pattern?.test(message),
  )
  if (rule !== undefined) return { kind: rule.kind, error, message, ...factsOf(error, message) }
  for (const name of ['cause', 'meta', 'driverAdapterError']) {
    const found = findViolation(own(error, name), depth + 1)
    if (found !== null) return found
  }
  return null
}

function factsOf(
  error: JsonObject,
  message: string,
): Omit<Violation, 'kind' | 'error' | 'message'> {
  const text = (...names: readonly string[]): string | undefined =>
    names.flatMap((name) => (typeof error[name] === 'string' ? [error[name]] : []))[0]
  const found: Record<string, string> = {}
  for (const fact of FACTS) {
    for (const one of [message, text('detail') ?? '']) {
      Object.assign(found, defined(fact.exec(one)?.groups ?? {}))
    }
  }
  return {
    table: text('table', 'table_name') ?? found.table,
    columns: namesIn(text('column', 'column_name') ?? found.columns ?? ''),
    constraint: text('constraint', 'constraint_name') ?? found.constraint,
    position: Number(error.position) || undefined,
    parameter: Number(/\$(\d+)/.exec(text('where') ?? '')?.[1]) || undefined,
    length: Number(found.length) || undefined,
  }
}

/** Splits `users.org_id, lower(email)` into names of columns. The names in an expression include those of functions. */
function namesIn(list: string): readonly string[] {
  return list
    .split(', ')
    .flatMap((one) => (one.includes('(') ? wordsIn(one) : one.replace(/^.*\./s, '')))
    .map((name) => name.replace(/^(["'`])(.*)\1$/s, '$2'))
    .filter((name) => name !== '')
}

/** The words in a text. An identifier without quotes is one word. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? []
}

interface Rule {
  readonly kind: ViolationKind
  /** PostgreSQL SQLSTATE codes, and MySQL and MariaDB error numbers. */
  readonly known: ReadonlySet<string>
  /** SQLite messages, because SQLite drivers use different codes. */
  readonly pattern?: RegExp
}

const RULES: readonly Rule[] = [
  // An exclusion constraint of PostgreSQL is a unique constraint with other operators.
  { kind: 'taken', known: new Set([...UNIQUE_CODES, '23P01']), pattern: UNIQUE_MESSAGE },
  {
    kind: 'missing',
    known: new Set(['23502', '1048', '1364']),
    pattern: /^NOT NULL constraint failed/,
  },
  { kind: 'long', known: new Set(['22001', '1406']), pattern: /^string or blob too big/ },
  {
    kind: 'reference',
    known: new Set(['23503', '1451', '1452']),
    pattern: /^FOREIGN KEY constraint failed/,
  },
  { kind: 'check', known: new Set(['23514', '3819', '4025']), pattern: /^CHECK constraint failed/ },
  { kind: 'range', known: new Set(['22003', '22008', '1264', '1292']) },
  {
    kind: 'type',
    known: new Set(['22P02', '22007', '42804', '1265', '1366', '4078']),
    pattern: /^cannot store .* value in|^datatype mismatch/,
  },
  {
    kind: 'generated',
    known: new Set(['428C9', '3105', '1906']),
    pattern: /^cannot (?:INSERT into|UPDATE) generated column/,
  },
  { kind: 'operator', known: new Set(['42883', '42725', '42846', '42P21', '42P22']) },
]

/**
 * The table, the columns, the constraint and the length in messages. Each pattern matches a message from the start,
 * because a value of a client may be in it.
 */
const FACTS: readonly RegExp[] = [
  // PostgreSQL: the detail, and messages whose errors lost their fields, as Citus forwards them
  /^Key \((?<columns>.*?)\)=\(/s,
  /^null value in column "(?<columns>[^"]+)"/,
  /^column "(?<columns>[^"]+)" is of type /,
  /^(?:duplicate key value|conflicting key value|new row for relation "[^"]+") violates \w+ constraint "(?<constraint>[^"]+)"/,
  /^value too long for type .*\((?<length>\d+)\)$/,
  /^cannot insert a non-DEFAULT value into column "(?<columns>[^"]+)"/,
  /^column "(?<columns>[^"]+)" can only be updated to DEFAULT/,
  // MySQL and MariaDB
  /^The value specified for generated column '(?<columns>[^']+)' in table '(?<table>[^']+)'/,
  /^(?:Column|Field) '(?<columns>[^']+)'/,
  /^(?:Data|Out|Incorrect) .* for column (?<columns>\S+) at row \d+$/s,
  /^Cannot cast .* in assignment of (?<columns>\S+)$/,
  /^Duplicate entry .* for key '(?<constraint>[^']+)'$/s,
  /^(?:CONSTRAINT|Check constraint) [`'](?<constraint>[^`']+)/,
  /^Cannot .*`(?<table>[^`]+)`, CONSTRAINT `(?<constraint>[^`]+)` FOREIGN KEY \((?<columns>[^)]+)\)/,
  // SQLite
  /^(?:UNIQUE|NOT NULL) constraint failed: (?<columns>(?<table>[^.']+)\..+)$/s,
  /^UNIQUE constraint failed: index '(?<constraint>.+)'$/s,
  /^CHECK constraint failed: (?<constraint>.+)$/s,
  /^cannot store \w+ value in \w+ column (?<columns>.+)$/s,
  /^cannot (?:INSERT into|UPDATE) generated column "(?<columns>.+)"$/s,
]

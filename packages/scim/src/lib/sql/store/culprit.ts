import type { SqlValue } from '../fragment.ts'
import {
  attributeOf,
  isTable,
  lastName,
  type Owner,
  ownersOf,
  type Tables,
} from './column-owner.ts'
import { type Violation, type ViolationKind, wordsIn } from './database-errors.ts'
import type { FailedStatement, Sent } from './failed-statement.ts'

/** The column that caused a violation. */
export interface Culprit {
  readonly table: string | undefined
  /** Undefined if the error does not say it. */
  readonly column: string | undefined
  /** The columns of which one caused it, if the error does not say which. */
  readonly candidates?: readonly string[]
  readonly owner: Owner
  /** The rejected value; undefined if the statement does not send one. */
  readonly value: SqlValue | undefined
}

/** Finds the column that caused a violation, and decides whose value it is. */
export function culpritOf(
  violation: Violation,
  tables: Tables,
  failed: FailedStatement | null,
): Culprit {
  const table = violation.table ?? failed?.table
  const owners = ownersOf(tables, table)
  const culprits = sentIn(violation, owners, failed).map(({ column = '', value }): Culprit => {
    const isHook = value !== undefined && tables.options.hooks?.write !== undefined
    const owner = owners.get(column) ?? { ...PROGRAM, by: isHook ? 'hook' : 'program' }
    return { table, column, owner: judge(violation.kind, owner, value), value }
  })
  const byClient = culprits.filter(({ owner }) => owner.by === 'client')
  // Of several values, each may be the one that is too long, or the null that a domain rejects.
  const isOneOf = violation.columns.length === 0
  const [first] = isOneOf && byClient.length > 1 ? [] : byClient
  const chosen = first ?? culprits.find(({ owner }) => owner.by === 'hook') ?? culprits[0]
  const candidates = isOneOf ? culprits.map(({ column = '' }) => column) : []
  if (chosen && (first || byClient.length === 0)) return { ...chosen, candidates }
  const owner = byClient.length > 0 ? ANYONE : nameOwner(violation, tables, failed, owners)
  return { table, column: undefined, candidates, owner, value: undefined }
}

/** The rejected columns, and the values sent to them. */
function sentIn(
  { kind, table, columns, parameter, length }: Violation,
  owners: ReadonlyMap<string, Owner>,
  failed: FailedStatement | null,
): readonly Partial<Sent>[] {
  const sent = failed?.sent ?? []
  const isWanted = ({ value }: Sent): boolean => (value === null) === (kind === 'missing')
  // A trigger may write to another table.
  const own = isTable(failed?.table ?? '', table) ? sent : []
  const sentTo = (column: string): Partial<Sent> => {
    const found = own.filter((one) => one.column === column)
    return found.find(isWanted) ?? found[0] ?? { column }
  }
  if (columns.length > 0) return columns.map(sentTo)
  if (parameter !== undefined) return sent.slice(parameter - 1, parameter)
  if (length !== undefined) return tooLong(sent, length)
  return kind === 'missing' && failed !== null ? withoutValue(owners, failed) : []
}

/** The client's columns without a value. Of a domain that rejects null, PostgreSQL does not name the column. */
function withoutValue(
  owners: ReadonlyMap<string, Owner>,
  { sent, isInsert }: FailedStatement,
): readonly Partial<Sent>[] {
  const columns = [...owners].flatMap(([column, { by }]) => (by === 'client' ? [column] : []))
  return columns.flatMap((column) => {
    const own = sent.filter((one) => one.column === column)
    const isNull = own.length === 0 ? isInsert : own.some(({ value }) => value === null)
    return isNull ? [{ column, value: null }] : []
  })
}

/** The values whose text is too long, one for each column. A boolean may be in a column of strings. */
function tooLong(sent: readonly Sent[], length: number): readonly Sent[] {
  const long = sent.filter(({ value }) => value !== null && [...String(value)].length > length)
  return [...new Map(long.map((one) => [one.column, one])).values()]
}

/** A value is the program's as well if the column accepts no value of the attribute, such as neither true nor false. */
function judge(kind: ViolationKind, owner: Owner, value: unknown): Owner {
  const byProgram: Owner = { ...owner, by: 'program' }
  if (owner.by === 'program' || kind === 'generated') return byProgram
  if (owner.by === 'hook') return kind === 'missing' || kind === 'type' ? PROGRAM : owner
  switch (kind) {
    case 'missing':
      // The store sent a value, and `execute` or a trigger lost it.
      return value === undefined || value === null ? owner : byProgram
    case 'long':
      return value === undefined || typeof value === 'string' ? owner : byProgram
    case 'type':
    case 'range':
      return isAcceptable(kind, owner, value) ? owner : byProgram
    case 'taken':
    case 'reference':
    case 'check':
    case 'operator':
      return owner
  }
}

/** Whether the column may accept other values of the attribute. */
function isAcceptable(kind: 'type' | 'range', { codec }: Owner, value: unknown): boolean {
  if (typeof value === 'boolean') return false
  if (codec !== null && typeof codec === 'object' && 'kind' in codec) {
    switch (codec.kind) {
      case 'dateTime':
        return kind === 'range' && (codec.format === 'timestamp' || codec.format === 'seconds')
      case 'integer':
      case 'key':
        return kind === 'range'
      default:
        return true
    }
  }
  return kind === 'range' || typeof value === 'string'
}

/** Decides from a constraint's name if the columns are not known. */
function nameOwner(
  { kind, constraint = '', message, length }: Violation,
  tables: Tables,
  failed: FailedStatement | null,
  owners: ReadonlyMap<string, Owner>,
): Owner {
  const named = ownerNamed(constraint, owners)
  if (named !== undefined) return named
  const inValues = attributeOf(tables, failed?.table, constraint)
  if (inValues !== null) return { ...ANYONE, attribute: inValues }
  // No value that the store sent is too long.
  const isUnsent = kind === 'long' && length !== undefined && failed !== null
  const isOwnKey = kind === 'taken' && /^(?:.*\.)?PRIMARY$/.test(constraint)
  const isOther =
    kind === 'missing' || kind === 'generated' || message === 'datatype mismatch' || isUnsent
  return isOwnKey || isOther || (kind === 'check' && namesColumns(constraint, failed?.table))
    ? PROGRAM
    : ANYONE
}

/** The longest name wins: `email` is a part of `email_verified`. */
function ownerNamed(text: string, owners: ReadonlyMap<string, Owner>): Owner | undefined {
  const clients = [...owners].filter(([, { by }]) => by === 'client')
  const words = new Set(wordsIn(text))
  const exact = clients.filter(([column]) => words.has(column))
  if (new Set(exact.map(([, { attribute }]) => attribute)).size > 1) return ANYONE
  const parts = clients.filter(([column]) => `_${text}_`.includes(`_${column}_`))
  return (exact[0] ?? parts.sort(([a], [b]) => b.length - a.length)[0])?.[1]
}

/**
 * Whether a check is an expression, or has the name that PostgreSQL or MariaDB derive from the column. PostgreSQL names
 * a check of several columns only after the table, such as `users_check`.
 */
function namesColumns(constraint: string, table = ''): boolean {
  const start = `${lastName(table)}_`
  const isDerived =
    constraint.startsWith(start) &&
    /^.+_check\d*(?:_\d{6,})?$/s.test(constraint.slice(start.length))
  return isDerived || /[^\w$]/.test(constraint)
}

const PROGRAM: Owner = { by: 'program', attribute: null, codec: null }
const ANYONE: Owner = { by: 'client', attribute: null, codec: null }

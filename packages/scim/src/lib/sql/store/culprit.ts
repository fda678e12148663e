import type { SqlValue } from '../fragment.ts'
import { attributeOf, lastName, type Owner, ownersOf, type Tables } from './column-owner.ts'
import { type Violation, type ViolationKind, wordsIn } from './database-errors.ts'
import type { FailedStatement, Sent } from './failed-statement.ts'

/** The column that caused a violation. */
export interface Culprit {
  readonly table: string | undefined
  /** Undefined if the error does not say it. */
  readonly column: string | undefined
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
  const culprits = sentIn(violation, failed).map(({ column = '', value }): Culprit => {
    const isHook = value !== undefined && tables.options.hooks?.write !== undefined
    const owner = owners.get(column) ?? { ...PROGRAM, by: isHook ? 'hook' : 'program' }
    return { table, column, owner: judge(violation.kind, owner, value), value }
  })
  const byClient = culprits.filter(({ owner }) => owner.by === 'client')
  // Of several strings, each may be the one that is too long.
  const [first] = violation.kind === 'long' && byClient.length > 1 ? [] : byClient
  const chosen = first ?? culprits.find(({ owner }) => owner.by === 'hook') ?? culprits[0]
  if (chosen && (first || byClient.length === 0)) return chosen
  const owner = culprits.length > 1 ? ANYONE : nameOwner(violation, tables, failed, owners)
  return { table, column: undefined, owner, value: undefined }
}

/** The rejected columns, and the values sent to them. */
function sentIn(
  { columns, parameter, length }: Violation,
  failed: FailedStatement | null,
): readonly Partial<Sent>[] {
  const sent = failed?.sent ?? []
  const sentTo = (column: string): Partial<Sent> =>
    sent.find((one) => one.column === column && one.value !== null) ??
    sent.find((one) => one.column === column) ?? { column }
  if (columns.length > 0) return columns.map(sentTo)
  if (parameter !== undefined) return sent.slice(parameter - 1, parameter)
  if (length === undefined) return []
  const isLong = ({ value }: Sent): boolean =>
    typeof value === 'string' && [...value].length > length
  return [...new Map(sent.filter(isLong).map((one) => [one.column, one])).values()]
}

/** A value is the program's as well if its column accepts no value of the attribute, such as neither true nor false. */
function judge(kind: ViolationKind, owner: Owner, value: unknown): Owner {
  if (owner.by === 'hook') return kind === 'missing' || kind === 'type' ? PROGRAM : owner
  if (owner.by === 'program' || !(kind === 'type' || kind === 'range')) return owner
  return isAcceptable(kind, owner, value) ? owner : { ...owner, by: 'program' }
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

/** Decides by a constraint's name if the columns are not known. */
function nameOwner(
  { kind, constraint = '', message }: Violation,
  tables: Tables,
  failed: FailedStatement | null,
  owners: ReadonlyMap<string, Owner>,
): Owner {
  const named = ownerNamed(constraint, owners)
  if (named !== undefined) return named
  const inValues = attributeOf(tables, failed?.table, constraint)
  if (inValues !== null) return { ...ANYONE, attribute: inValues }
  const isOwnKey = kind === 'taken' && /^(?:.*\.)?PRIMARY$/.test(constraint)
  const isOther = kind === 'missing' || message === 'datatype mismatch'
  return isOwnKey || isOther || (kind === 'check' && namesColumns(constraint, failed?.table))
    ? PROGRAM
    : ANYONE
}

/** The longest name wins: `email` is a part of `email_verified`. */
function ownerNamed(text: string, owners: ReadonlyMap<string, Owner>): Owner | undefined {
  const clients = [...owners].filter(([, { by }]) => by === 'client')
  const words = new Set(wordsIn(text))
  const exact = clients.find(([column]) => words.has(column))
  const parts = clients.filter(([column]) => `_${text}_`.includes(`_${column}_`))
  return (exact ?? parts.sort(([a], [b]) => b.length - a.length)[0])?.[1]
}

/** Whether a check is an expression, or has the name that PostgreSQL or MariaDB derive from its columns. */
function namesColumns(constraint: string, table = ''): boolean {
  const isDerived =
    constraint.startsWith(`${lastName(table)}_`) && /_check\d*(?:_\d{6,})?$/.test(constraint)
  return isDerived || /[^\w$]/.test(constraint)
}

const PROGRAM: Owner = { by: 'program', attribute: null, codec: null }
const ANYONE: Owner = { by: 'client', attribute: null, codec: null }

import type { Fragment, SqlValue } from '../fragment.ts'

/** The columns and values of a statement, read from the text. */
export interface FailedStatement {
  readonly isRead: boolean
  readonly isInsert: boolean
  readonly isDeletion: boolean
  /** The table that is written, or the first one that is read. */
  readonly table: string | undefined
  /** The parameters in their order. */
  readonly sent: readonly Sent[]
  /** The text as PostgreSQL receives it. Only its errors have a position in it. */
  readonly text: string
}

/** A column in the text of a statement. The table is undefined if the text does not qualify the column. */
export interface Place {
  readonly table: string | undefined
  readonly column: string
}

/** A parameter. */
export interface Sent {
  /** The table of a compared column, if the text says it. */
  readonly table?: string | undefined
  /** The column that is set or compared; undefined if the text does not say it. */
  readonly column: string | undefined
  readonly value: SqlValue
}

/** Reads a statement as the store writes it. It runs only after an error, so statements need no second description. */
export function readStatement({ strings, values }: Fragment): FailedStatement {
  const text = strings.reduce((before, part, at) => `${before}$${at}${part}`)
  const isRead = /^\W*(?:select|with)\b/.test(text)
  const [, table] = (isRead ? READ : WRITE).exec(text) ?? []
  const listed = INSERTED.exec(text)?.[1]?.match(NAME) ?? []
  let last: Place | undefined
  const sent = values.map((value, at) => {
    const before = strings[at] ?? ''
    if (before !== ', ') last = placeOf(COMPARED.exec(before)?.[1])
    if (listed.length === 0) return { ...last, column: last?.column, value }
    return { column: unquote(listed[at % listed.length] ?? ''), value }
  })
  const name = table && namesIn(table).join('.')
  const [isInsert, isDeletion] = [text.startsWith('insert'), text.startsWith('delete')]
  return { isRead, isInsert, isDeletion, table: name, sent, text }
}

/**
 * Finds the column that an error of PostgreSQL points to. The position, starting at 1, is that of the column, of a
 * function before it, or of an operator after it.
 */
export function columnAt({ text }: FailedStatement, position: number): Place | null {
  const [before, after] = [text.slice(0, position - 1), text.slice(position - 1)]
  const isBefore = /^(?:"|\w+\()/.test(after)
  const found = isBefore ? FIRST.exec(after)?.[0] : withoutCollations(before).match(COLUMN)?.at(-1)
  return placeOf(found) ?? null
}

/** Returns the table that a place is in. Selections from other tables use an alias for them. */
export function tableAt({ table, text }: FailedStatement, place: Place): string | undefined {
  if (place.table === undefined) return table
  const named = [...text.matchAll(ALIAS)].find(([, , alias = '']) => unquote(alias) === place.table)
  return named === undefined ? place.table : namesIn(named[1] ?? '').join('.')
}

function withoutCollations(text: string): string {
  return text.replace(/ collate "[^"]*"/g, '')
}

function placeOf(text: string | undefined): Place | undefined {
  const names = namesIn(text ?? '')
  const column = names.at(-1)
  return column === undefined
    ? undefined
    : { table: names.slice(0, -1).join('.') || undefined, column }
}

function namesIn(text: string): readonly string[] {
  return (text.match(NAME) ?? []).map(unquote)
}

function unquote(name: string): string {
  const [quote = ''] = name
  return name.slice(1, -1).replaceAll(quote + quote, quote)
}

const QUOTED = '(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`)'
const DOTTED = `${QUOTED}(?:\\.${QUOTED})*`
const NAME: RegExp = new RegExp(QUOTED, 'g')
const COLUMN: RegExp = new RegExp(DOTTED, 'g')
const FIRST: RegExp = new RegExp(DOTTED)
const WRITE: RegExp = new RegExp(`^(?:insert into|update|delete from) (${DOTTED}) `)
const READ: RegExp = new RegExp(` from (${DOTTED})`)
const ALIAS: RegExp = new RegExp(` from (${DOTTED}) as (${QUOTED})`, 'g')
const INSERTED: RegExp = new RegExp(
  `^insert into ${DOTTED} \\((${QUOTED}(?:, ${QUOTED})*)\\) values `,
)
/** `"name" = `, `"name" < ` and `"name" in (`, perhaps with a collation. */
const COMPARED: RegExp = new RegExp(`(${DOTTED})(?: collate \\S+)? (?:[=<>]+ |in \\()$`)

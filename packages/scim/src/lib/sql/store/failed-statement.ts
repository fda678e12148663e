import type { Fragment, SqlValue } from '../fragment.ts'

/** The columns and values of a statement, read from its text. */
export interface FailedStatement {
  readonly isRead: boolean
  readonly isDeletion: boolean
  /** The table that is written; undefined for a read. */
  readonly table: string | undefined
  /** The parameters in their order. */
  readonly sent: readonly Sent[]
}

/** A parameter. */
export interface Sent {
  /** The column that is set or compared; undefined if the text does not say it. */
  readonly column: string | undefined
  readonly value: SqlValue
}

/** Reads a statement as the store writes it. It runs only after an error, so statements need no second description. */
export function readStatement({ strings, values }: Fragment): FailedStatement {
  const text = strings.join('?')
  const [, table = ''] = WRITE.exec(text) ?? []
  const listed = INSERTED.exec(text)?.[1]?.match(NAME) ?? []
  let last: string | undefined
  const sent = values.map((value, at) => {
    const before = strings[at] ?? ''
    if (before !== ', ') last = COMPARED.exec(before)?.[1]
    const column = listed.length === 0 ? last : listed[at % listed.length]
    return { column: column && unquote(column), value }
  })
  return {
    isRead: /^\W*(?:select|with)\b/.test(text),
    isDeletion: text.startsWith('delete'),
    table: table === '' ? undefined : (table.match(NAME) ?? []).map(unquote).join('.'),
    sent,
  }
}

function unquote(name: string): string {
  const [quote = ''] = name
  return name.slice(1, -1).replaceAll(quote + quote, quote)
}

const QUOTED = '(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`)'
const TABLE = `${QUOTED}(?:\\.${QUOTED})*`
const NAME: RegExp = new RegExp(QUOTED, 'g')
const WRITE: RegExp = new RegExp(`^(?:insert into|update|delete from) (${TABLE}) `)
const INSERTED: RegExp = new RegExp(
  `^insert into ${TABLE} \\((${QUOTED}(?:, ${QUOTED})*)\\) values `,
)
/** `"name" = `, `"name" < ` and `"name" in (`, perhaps with a collation. */
const COMPARED: RegExp = new RegExp(`(${QUOTED})(?: collate \\S+)? (?:[=<>]+ |in \\()$`)

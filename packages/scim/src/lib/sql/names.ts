import { type Fragment, raw, sql } from './fragment.ts'
import type { DialectRules } from './rules.ts'

/** Quotes a name, such as `users` or `public.users`. Each part between dots is a separate identifier. */
export function writeName(name: string, { quote }: DialectRules): Fragment {
  if (name === '' || name.includes('\0')) {
    throw new TypeError(`${JSON.stringify(name)} is not the name of a table or a column`)
  }
  const parts = name
    .split('.')
    .map((part) => `${quote}${part.replaceAll(quote, quote + quote)}${quote}`)
  return raw(parts.join('.'))
}

/** Quotes a column. A name without a dot is qualified with the table, if one is given. */
export function writeColumn(name: string, table: string | null, rules: DialectRules): Fragment {
  if (table === null || name.includes('.')) return writeName(name, rules)
  return sql`${writeName(table, rules)}.${writeName(name, rules)}`
}

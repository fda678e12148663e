import { cellOf } from '../cells.ts'
import { sql } from '../fragment.ts'
import { candidatesOf, type Search } from './search.ts'
import type { SqlOrder } from './sort.ts'

/**
 * Counts the matches. Returns null if memory must sort them: the database would order some differently, and they fit.
 */
export async function countSorted(
  { session, where }: Search,
  { key }: SqlOrder,
): Promise<number | null> {
  const { name, options } = session
  const isInexact = key?.isInexact ?? null
  const inexact =
    isInexact === null
      ? sql``
      : sql`, count(case when ${isInexact} then 1 end) as ${name('inexact')}`
  const [row] = await session.run(
    sql`select count(*) as ${name('total')}${inexact} from ${name(options.table)} where ${where}`,
  )
  if (row === undefined) {
    throw new TypeError('execute returned no rows for "select count(*)": return the rows of reads')
  }
  const total = Number(cellOf(row, 'total'))
  const isFolded = isInexact !== null && Number(cellOf(row, 'inexact')) > 0
  return isFolded && total <= candidatesOf(session) ? null : total
}

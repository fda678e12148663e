import { raw, sql } from '@plumbline/scim/internal'
import type { Database } from '../../src/kernel/store/database.ts'
import type { Statement } from './statement.ts'

/** A node of a query plan. */
export type PlanNode = Readonly<Record<string, unknown>>

/**
 * The nodes of the plan of a statement on PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/using-explain.html
 */
export async function planNodes(
  db: Database,
  { fragment }: Statement,
  { isAnalyzed = false } = {},
): Promise<readonly PlanNode[]> {
  const options = isAnalyzed ? 'analyze, format json' : 'format json'
  const { rows } = await db.exec(sql`explain (${raw(options)}) ${fragment}`)
  const [{ Plan: plan = {} } = {}] = Object(rows[0])['QUERY PLAN']
  return nodesOf(plan)
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  const inner = Array.isArray(plan.Plans) ? (plan.Plans as readonly PlanNode[]) : []
  return [plan, ...inner.flatMap(nodesOf)]
}

/** The number of rows that PostgreSQL reads for a statement, from the tables with these names. */
export async function rowsRead(db: Database, statement: Statement, tables = /^/): Promise<number> {
  return (await planNodes(db, statement, { isAnalyzed: true }))
    .filter((node) => String(node['Node Type']).endsWith('Scan'))
    .filter((node) => tables.test(String(node['Relation Name'] ?? node['Index Name'] ?? '')))
    .reduce((sum, node) => sum + Number(node['Actual Rows']) * Number(node['Actual Loops']), 0)
}

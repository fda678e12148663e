import { type Database, rawSql } from '@remix-run/data-table'

/** A statement with its parameters. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A node of a query plan. */
export type PlanNode = Readonly<Record<string, unknown>>

/**
 * The nodes of the plan of a statement on PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/using-explain.html
 */
export async function planNodes(
  db: Database,
  { text, values }: Statement,
  { isAnalyzed = false } = {},
): Promise<readonly PlanNode[]> {
  const options = isAnalyzed ? 'analyze, format json' : 'format json'
  const { rows = [] } = await db.exec(rawSql(`explain (${options}) ${text}`, [...values]))
  const [{ Plan: plan = {} } = {}] = Object(rows[0])['QUERY PLAN']
  return nodesOf(plan)
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  const inner = Array.isArray(plan.Plans) ? (plan.Plans as readonly PlanNode[]) : []
  return [plan, ...inner.flatMap(nodesOf)]
}

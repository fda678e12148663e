import type { Statement } from './statement.ts'
import { RESOURCE_TABLES } from './types.ts'

/**
 * Returns why a distributed database would send a statement to every node; null if it reads the rows of one tenant. Each
 * select must name the tenant by a parameter: `tenant_id = outer.tenant_id` does not tell the node.
 */
export function spreadOf({ text }: Pick<Statement, 'text'>): string | null {
  if (JOINED.test(text)) return `a tenant_id is not compared with a parameter: ${text}`
  const sources = text.match(SOURCES)?.length ?? 0
  const tenants = text.match(TENANTS)?.length ?? 0
  return sources > tenants ? `a select does not name its tenant: ${text}` : null
}

/** The tables that are distributed by tenant, where a statement reads or changes them. */
const SOURCES = new RegExp(
  String.raw`\b(?:from|join|update)\s+(?:"?main"?\.)?"?(?:${[...RESOURCE_TABLES, 'requests'].join('|')})\b`,
  'gi',
)
const TENANTS = /\btenant_id"?\s*=\s*(?:\?|\$\d+)/gi
const JOINED = /\btenant_id"?\s*=\s*["\w]/i

import type { Filter } from '@plumbline/scim/filter'
import { rawSql, type TableRow } from '@remix-run/data-table'
import { chunksOf } from './chunks.ts'
import { isStorable, storableFolded } from './column-text.ts'
import type { CopiedRows } from './json/json-resources.ts'
import { conjunctsOf, equalValue } from './list/filters.ts'
import type { NarrowedFilter, WireResource } from './list/list.ts'
import { equals, inTenant, oneOf } from './predicates.ts'
import type { TenantScope } from './scope.ts'
import { emails, readRows } from './tables.ts'

/** The rows of e-mail addresses, by which filters find users. */
export const EMAIL_ROWS: CopiedRows = {
  attribute: 'emails',
  insert: async ({ db, tenantId }, made) => {
    const rows = made.flatMap(({ id, resource }) => emailRows(tenantId, id, resource))
    for (const some of chunksOf(rows, 5_000)) await db.createMany(emails, some)
  },
  delete: async ({ db, tenantId }, userId) => {
    await db.deleteMany(emails, { where: inTenant(tenantId, equals('user_id', userId)) })
  },
}

function emailRows(
  tenant_id: string,
  user_id: string,
  content: WireResource,
): TableRow<typeof emails>[] {
  const list: readonly unknown[] = Array.isArray(content.emails) ? content.emails : []
  return list.flatMap((email, position) => {
    const value_key = storableFolded('emails.value', Object(email).value)
    return value_key === null ? [] : [{ tenant_id, user_id, position, value_key }]
  })
}

/** Narrows `emails eq`, `emails.value eq` and `emails[… value eq …]` to the users with the address. */
export async function narrowByEmail(
  { db, tenantId }: TenantScope,
  filter: Filter.Expression,
): Promise<NarrowedFilter> {
  for (const conjunct of conjunctsOf(filter)) {
    const value = equalValue(conjunct, 'emails')
    if (value === null) continue
    const owners = isStorable(value)
      ? await readRows<Owner>(db, rawSql(OWNERS, [tenantId, value.toLowerCase()]))
      : []
    // An address of so many users does not narrow the search enough.
    if (owners.length > MOST_OWNERS) continue
    const ids = [...new Set(owners.map(({ user_id }) => user_id))]
    return { where: oneOf('id', ids), residual: filter }
  }
  return { where: null, residual: filter }
}

interface Owner {
  readonly user_id: string
}

const MOST_OWNERS = 1_000
const OWNERS = `
  select user_id from user_emails where tenant_id = ? and value_key = ? limit ${MOST_OWNERS + 1}`

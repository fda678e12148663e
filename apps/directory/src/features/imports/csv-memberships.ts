import { stat } from 'node:fs/promises'
import { fold, PATCH_OP_SCHEMA } from '@plumbline/scim'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { type ResourceType, typeNamed } from '../../kernel/resources/resource-type.ts'
import { findMatches, type Match } from '../../kernel/store/find-matches.ts'
import { lookUpSchemas } from '../scim/tenant-schemas.ts'
import { type CsvRow, readCsv } from './csv.ts'
import type { ImportOptions } from './import.ts'
import { columnsOf, type KeyMapping, type Mapping } from './mapping.ts'
import { batchesOf } from './source.ts'
import { createWrite, type Write, type WriteRequest } from './write-requests.ts'

/** Options for `importMemberships`. */
export interface MembershipOptions extends Omit<ImportOptions, 'open'> {
  readonly file: string
  readonly mapping: Mapping
}

/** Adds a user to a group for each CSV row; both must exist. Returns false if the tenant does not exist. */
export async function importMemberships(options: MembershipOptions): Promise<boolean> {
  const { store, tenantId, file, mapping, now, report, isDryRun = false } = options
  const { memberships, delimiter } = mapping
  if (memberships === null) throw new TypeError('the mapping is one of users')
  if (!(await store.read((db) => findTenant(db, tenantId)))) return false
  const schemas = await lookUpSchemas(tenantId, store, now())
  const write = isDryRun ? async () => null : createWrite({ store, tenantId, schemas, now })
  const [groupType, userType] = [
    typeNamed(schemas.types, 'Group'),
    typeNamed(schemas.types, 'User'),
  ]
  const { size } = await stat(file)
  const rows = readCsv(file, { columns: columnsOf(mapping), delimiter })
  for await (const batch of batchesOf(rows, { most: 500 })) {
    const groups = await lookUp(options, groupType, memberships.group, batch)
    const members = await lookUp(options, userType, memberships.member, batch)
    const found: Membership[] = []
    for (const row of batch) {
      const [group, member] = [groups(row), members(row)]
      if (row.error !== null) report.reject(row.line, row.error)
      else if (typeof group === 'string') report.reject(row.line, group)
      else if (typeof member === 'string') report.reject(row.line, member)
      else found.push({ line: row.line, group: group.id, member: member.id })
    }
    await addAll(found, groupType, write, options)
    options.progress?.(batch.at(-1)?.end ?? 0, size)
  }
  return true
}

interface Membership {
  readonly line: number
  readonly group: string
  readonly member: string
}

/** Looks up the rows' resources. Returns a function that finds a row's resource, or says why it cannot be found. */
async function lookUp(
  { store, tenantId }: Pick<MembershipOptions, 'store' | 'tenantId'>,
  { name, table, naming }: ResourceType,
  { by, column }: KeyMapping,
  rows: readonly CsvRow[],
): Promise<(row: CsvRow) => Match | string> {
  const keyOf = ({ cell }: CsvRow) => (by === 'name' ? fold(cell(column)) : cell(column))
  const keys = rows.map(keyOf)
  const found = await store.read(
    (db) =>
      findMatches(
        db,
        tenantId,
        { table, nameColumn: naming.column },
        {
          ids: by === 'id' ? keys : [],
          externalIds: by === 'externalId' ? keys : [],
          names: by === 'name' ? keys : [],
        },
      ),
    { tenantId },
  )
  return (row) => {
    const key = keyOf(row)
    const [match, other] = found.filter((one) => one[by] === key)
    const named = `${name.toLowerCase()} ${row.cell(column)}`
    if (match === undefined) return `${named} not found`
    return other === undefined ? match : `${named} is not unique`
  }
}

async function addAll(
  found: readonly Membership[],
  { endpoint }: ResourceType,
  write: Write,
  { report }: Pick<MembershipOptions, 'report'>,
): Promise<void> {
  for (const group of new Set(found.map((one) => one.group))) {
    const ofGroup = found.filter((one) => one.group === group)
    const value = ofGroup.map(({ member }) => ({ value: member }))
    const body = { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'add', path: 'members', value }] }
    const request: WriteRequest = { method: 'PATCH', path: `${endpoint}/${group}`, body }
    const rejected = await write([request])
    for (const { line } of ofGroup) {
      if (rejected === null) report.count('existing')
      else report.reject(line, rejected.reason)
    }
  }
}

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LAYOUT } from '../../../../../src/features/tenants/tables.ts'
import { statementsFor } from '../../../../../src/kernel/store/engines/postgres/distribute.ts'
import { runCommand } from '../../../../support/run-command.ts'
import { PART_KEYS } from '../../../../support/types.ts'

const KEYS = [
  ...['tokens', 'clients', 'setup_links'].map((table) => `${table}_tenant_id_fkey`),
  ...PART_KEYS,
]

it('docs/operate.md lists exactly the statements that npm start -- --distribute runs', () => {
  const page = readFileSync(new URL('../../../../../docs/operate.md', import.meta.url), 'utf8')
  const block = /```sql\s+(alter table tokens[^`]+)```/.exec(page)?.[1] ?? ''
  const written = block
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')
  const none: ReadonlySet<string> = new Set()
  const state = { referenceTables: none, distributedTables: none, foreignKeys: new Set(KEYS) }
  expect(written).toEqual(statementsFor(state, LAYOUT))
})

it('npm start -- --distribute fails on SQLite with one line and exit code 1', async () => {
  expect(await runCommand({ DATABASE_URL: 'file::memory:' }, '--distribute')).toEqual({
    code: 1,
    output: '',
    errors:
      'The directory cannot be distributed: only PostgreSQL with Citus can distribute its tables\n',
  })
})

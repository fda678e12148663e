import { chunkRows, sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { readWaiting } from '../../../src/features/connections/store.ts'
import { insertRows } from '../../../src/kernel/store/database.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'
import type { Statement } from '../../support/statement.ts'
import { watchStatements } from '../../support/watch-statements.ts'

describe('readWaiting', () => {
  const { storeOf } = useSqliteStore()

  /** Inserts waiting changes: first creations, and then deactivations and deletions in turn. */
  const fill = (tenantId: string, harmless: number, risky: number) =>
    storeOf().write(async (db) => {
      const rows = Array.from({ length: harmless + risky }, (_, at) => {
        const isRisky = at >= harmless
        return {
          tenant_id: tenantId,
          position: at + 1,
          time: 1,
          bytes: 2,
          releases_at: null,
          risk_at: isRisky ? 1 : null,
          type: isRisky ? ['user.deactivated', 'user.deleted'][at % 2] : 'user.created',
          resource_id: `u${at}`,
          token_id: `t${at % 30}`,
          change: JSON.stringify({ requestId: `r${at}` }),
        }
      })
      for (const some of chunkRows(rows)) await insertRows(db, 'changes', some)
    })
  const read = (tenantId: string, take: (statement: Statement) => void = () => undefined) =>
    watchStatements(storeOf(), take).read((db) =>
      readWaiting(db, tenantId, { position: 40_000, heldAfter: 0 }),
    )
  const exactly = (count: number) => ({ count, isExact: true })
  const atLeast = (count: number) => ({ count, isExact: false })

  it.each([
    [0, 0, exactly(0), exactly(0), exactly(0)],
    [3, 10, exactly(13), exactly(10), exactly(5)],
    [0, 10_000, exactly(10_000), exactly(10_000), exactly(5_000)],
    [0, 10_001, atLeast(10_000), atLeast(10_000), atLeast(5_000)],
    [10_001, 9_000, atLeast(10_000), exactly(9_000), exactly(4_500)],
    [12_000, 20_000, atLeast(10_000), atLeast(10_000), atLeast(5_000)],
  ])(
    'readWaiting counts %i harmless and %i risky changes',
    async (harmless, risky, changes, users, deleted) => {
      const tenantId = `t-${harmless}-${risky}`
      await fill(tenantId, harmless, risky)
      const { first, last, tokenIds, ...counts } = await read(tenantId)
      expect(counts).toEqual({ changes, users, deleted })
      expect(tokenIds).toHaveLength(Math.min(risky, 20))
      const ids = [first, last].map((row) => row && JSON.parse(row.change).requestId)
      const expected = [`r${harmless}`, `r${harmless + risky - 1}`]
      expect(ids).toEqual(risky === 0 ? [null, null] : expected)
    },
  )

  it('risky changes are read from an index, without the harmless ones and the visible ones', async () => {
    const statements: Statement[] = []
    await read('t', (statement) => statements.push(statement))
    const risky = statements.filter(({ text }) => text.includes('risk_at'))
    expect(risky).toHaveLength(4)
    for (const { fragment } of risky) {
      const { rows } = await storeOf().read((db) => db.exec(sql`explain query plan ${fragment}`))
      const plan = rows.map(({ detail }) => String(detail)).join('\n')
      expect(plan).toContain('INDEX changes_by_risky_position (tenant_id=? AND position>?)')
    }
  })
})

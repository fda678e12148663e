import { sql } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import type { Load, Store } from '../../src/kernel/store/store.ts'

/** The load that a store reports for metrics. */
export function loadContract(storeOf: () => Store): void {
  const loadOf = (name: string): Load => {
    const { work } = storeOf().load()
    return work.find((load) => load.name === name) ?? expect.fail(`no work is named ${name}`)
  }

  it('the load counts running scans and waiting ones, and nothing after they have ended', async () => {
    const { limit, ...idle } = loadOf('scan')
    expect(idle).toEqual({ name: 'scan', running: 0, waiting: 0 })
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const scans = Array.from({ length: limit + 2 }, () =>
      storeOf().scan(async (db) => {
        await db.exec(sql`select 1`)
        await opened
      }),
    )
    await expect.poll(() => loadOf('scan')).toMatchObject({ limit, running: limit, waiting: 2 })
    for (const { running, limit } of storeOf().load().connections) {
      expect(running).toBeLessThanOrEqual(limit)
    }
    open()
    await Promise.all(scans)
    await expect.poll(() => loadOf('scan')).toMatchObject({ running: 0, waiting: 0 })
  })

  it('the load counts a write while it runs', async () => {
    const running = () =>
      storeOf()
        .load()
        .work.map(({ running }) => running)
    const before = running()
    const during = await storeOf().write(async () => running())
    expect(during.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(
      before.reduce((sum, one) => sum + one, 0),
    )
    await expect.poll(running).toEqual(before)
  })
}

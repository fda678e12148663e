import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { LAYOUT } from '../../../src/features/tenants/tables.ts'
import { openStore } from '../../../src/kernel/store/open.ts'

const TOKEN = 'a-token-of-the-environment'
const fileOf = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The names of the metrics in a text, without those of its histograms' series. */
function namesIn(text: string): ReadonlySet<string> {
  const names = text.match(/\b(?:directory|process|nodejs)_[a-z0-9_]+/g) ?? []
  return new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))
}

it("the rules and the dashboard use only the server's own metrics", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = await openStore(`file:${join(folder, 'directory.db')}`, LAYOUT)
  onTestFinished(() => store.close())
  const provisioning = createProvisioningLog({ store, now: Date.now, rows: 1, days: 1, bytes: 1 })
  onTestFinished(() => provisioning.close())
  const directory = createDirectory({ store, token: TOKEN, provisioning, isProcess: true })
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const request = new Request('http://localhost/metrics', { headers })
  const served = namesIn(await (await directory.fetch(request)).text())
  for (const file of ['monitoring/rules.yaml', 'monitoring/dashboard.json']) {
    const used = namesIn(fileOf(file))
    expect(used.size).toBeGreaterThan(5)
    const unknown = [...used].filter((name) => !served.has(name))
    expect({ file, unknown }).toEqual({ file, unknown: [] })
  }
})

import { expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { connect } from '../support/harness.ts'
import { readRuns, replay } from '../support/replay.ts'

/** Recorded requests of identity providers and the expected responses, on every store. */
export function runContract(store: () => Store): void {
  for (const [name, run] of readRuns()) {
    it(`answers the recorded requests of ${name} as expected`, async () => {
      const { send, tenantId } = await connect(store(), { profile: run.profile, role: 'admin' })
      for (const schema of run.extensions ?? []) {
        const { status } = await send('POST', `/api/tenants/${tenantId}/schemas`, schema)
        expect(status).toBe(201)
      }
      await replay(name, run, { send, base: 'http://localhost/scim/v2' })
    })
  }
}

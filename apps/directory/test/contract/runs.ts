import { expect, it } from 'vitest'
import { profileOf } from '../../src/kernel/profiles.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'
import { readRuns } from '../support/provider-runs/provider-runs.ts'
import { replayRun } from '../support/replay.ts'

/** Recorded requests of identity providers and the expected responses, on every store. */
export function runContract(store: () => Store): void {
  for (const [name, run] of readRuns()) {
    it(`the recorded requests from ${name} get the expected answers`, async () => {
      const client = await connect(store(), { profile: profileOf(run.profile), role: 'admin' })
      const { send, tenantId } = client
      for (const schema of run.extensions) {
        const { status } = await send('POST', `/api/tenants/${tenantId}/schemas`, schema)
        expect(status).toBe(201)
      }
      await replayRun(name, run, client)
    })
  }
}

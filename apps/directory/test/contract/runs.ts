import { it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { connect } from '../harness.ts'
import { readRuns, replay } from '../replay.ts'

/** What identity providers send, and how it has to be answered, on every store. */
export function runContract(store: () => Store): void {
  for (const [name, run] of readRuns()) {
    it(`takes what ${name} sends`, async () => {
      const { send } = await connect(store(), { profile: run.profile })
      await replay(name, run, { send, base: 'http://localhost/scim/v2' })
    })
  }
}

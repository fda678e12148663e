import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { it } from 'vitest'
import { GROUP_DEFINITIONS, USER_DEFINITIONS } from '../endpoint/serve.ts'
import { openStores } from '../sql/contract-suite.ts'
import { SQLITE } from '../sql/openers.ts'
import { expectReplay } from './replay-changes.ts'

/** `.ci/run` has more. */
const RUNS = Number(process.env.CHANGES_RUNS ?? 40)

it("any change history, applied to an empty model, ends in memoryStore's state", async () => {
  await expectReplay(async () => {
    const groups = memoryStore({ definitions: GROUP_DEFINITIONS })
    const users = memoryStore({ definitions: USER_DEFINITIONS, groups })
    return {
      resourceTypes: [
        defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
        defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
      ],
      context: {},
      transaction: (context, work) => work(context),
      canUndo: false,
      close: async () => undefined,
    }
  }, RUNS)
})

it("any change history, applied to an empty model, ends in sqlStore's state on SQLite", async () => {
  await expectReplay(async () => ({ ...(await openStores(SQLITE)), canUndo: true }), RUNS)
})

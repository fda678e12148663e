import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { it } from 'vitest'
import { GROUP_DEFINITIONS, USER_DEFINITIONS } from '../../src/lib/endpoint/testing/serve.ts'
import { openStores } from '../sql/contract-suite.ts'
import { SQLITE } from '../sql/openers.ts'
import { expectReplay } from './replay-changes.ts'

it('the changes of any history, applied to an empty model, give the state of memoryStore', async () => {
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
  }, 100)
})

it('the changes of any history, applied to an empty model, give the state of sqlStore on SQLite', async () => {
  await expectReplay(async () => ({ ...(await openStores(SQLITE)), canUndo: true }), 100)
})

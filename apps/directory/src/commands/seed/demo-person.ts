import type { TenantScope } from '../../features/scim/scope.ts'
import { USER_STORE, userContent } from '../../features/scim/user.ts'
import { createId } from '../../kernel/ids.ts'

/** Creates the user a new directory's first `curl` shows. The title explains the user's purpose. */
export async function createDemoPerson(scope: TenantScope, now: number): Promise<void> {
  const resource = userContent({
    userName: DEMO_USER_NAME,
    name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
    displayName: 'Ada Lovelace',
    title: 'Demo person of the first start. Delete it at any time: it is not created again.',
    active: true,
    extensions: {},
    emails: [{ value: DEMO_USER_NAME, type: 'work', primary: true }],
  })
  await USER_STORE.insert(scope, [{ id: createId(now), at: now, resource }])
}

/** The demo person's userName. */
export const DEMO_USER_NAME = 'ada@demo.example'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import type { Profile } from '../src/store/tokens.ts'
import { connect } from './harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** What bends RFC 7644 §3.5.2, and who may. */
const BENDING: readonly (readonly [what: string, Operations: object[], who: readonly Profile[]])[] =
  [
    [
      'a replace whose filter matches nothing',
      [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' }],
      ['entra'],
    ],
    [
      'a remove whose filter matches nothing',
      [{ op: 'remove', path: 'emails[type eq "work"]' }],
      ['entra', 'okta'],
    ],
    ['no operations', [], ['entra']],
  ]

/** What is harmless is taken from everybody. */
const HARMLESS: readonly (readonly [what: string, Operations: object[], shown: object])[] = [
  [
    'names in any letter case',
    [{ op: 'Replace', path: 'NickName', value: 'A' }],
    { nickName: 'A' },
  ],
  ['a boolean as text', [{ op: 'replace', path: 'active', value: 'False' }], { active: false }],
  [
    'a read-only member as it is',
    [{ op: 'replace', value: { id: '{id}', title: 'B' } }],
    { title: 'B' },
  ],
]

describe.each<Profile>(['standard', 'entra', 'okta'])('a token of profile %s', (profile) => {
  it.each(BENDING)('takes, or refuses, %s', async (_, Operations, who) => {
    const { send } = await connect(store, { profile })
    const { body: before } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${before.id}`
    const { status, body } = await send('PATCH', path, { schemas: [PATCH_OP], Operations })
    expect(status).toBe(who.includes(profile) ? 200 : 400)
    if (status === 400) {
      expect(['noTarget', 'invalidValue', 'invalidSyntax']).toContain(body.scimType)
      expect((await send('GET', path)).body).toEqual(before)
    }
  })

  it.each(HARMLESS)('takes %s', async (_, operations, shown) => {
    const { send } = await connect(store, { profile })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const Operations = JSON.parse(JSON.stringify(operations).replace('{id}', String(body.id)))
    const patched = await send('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
    expect(patched).toMatchObject({ status: 200, body: shown })
  })
})

import { DatabaseSync } from 'node:sqlite'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  type Answered,
  createScimEndpoint,
  defineResourceType,
  PROFILES,
  type Profile,
  type ProfileName,
} from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../../src/lib/constants.ts'
import { patchOf, sender } from '../endpoint/serve.ts'

const HR = 'urn:example:hr:2.0:User'
const phones = USER_DEFINITION.attributes.filter(({ name }) => name === 'phoneNumbers')
const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [HR]: { id: HR, name: 'HR', attributes: phones },
}

/** Serves a table with a place for one e-mail address, one number, and one number of an extension. */
function serve(profile: ProfileName | Profile) {
  const database = new DatabaseSync(':memory:')
  database.exec(
    'create table people (id text primary key, login text, mail text, phone text, hr text)',
  )
  const store = sqlStore<unknown>({
    dialect: 'sqlite',
    definitions,
    table: 'people',
    id: 'id',
    execute: (sql, values) => database.prepare(sql).all(...(values as never[])),
    attributes: {
      userName: 'login',
      'emails[work].value': 'mail',
      'phoneNumbers[work].value': 'phone',
      [`${HR}:phoneNumbers[work].value`]: 'hr',
    },
  })
  const ignored: Answered<object>['ignored'][] = []
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    profile,
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    onAnswer: (answered) => ignored.push(answered.ignored),
  })
  return { send: sender(fetch), ignored, store }
}

const work = { type: 'work', value: '1' }
const mobile = { type: 'mobile', value: '2' }
const fax = { type: 'fax', value: '3' }
const sent = {
  userName: 'a',
  emails: [{ type: 'work', primary: true, value: 'a@example.com' }],
  phoneNumbers: [mobile, work, fax],
}
const kept = {
  userName: 'a',
  emails: [{ type: 'work', value: 'a@example.com' }],
  phoneNumbers: [work],
}
const paths = ['phoneNumbers[type eq "mobile"]', 'phoneNumbers[type eq "fax"]']

it('a store publishes which elements have a place', () => {
  expect(serve('standard').store.places).toEqual({
    emails: ['work'],
    phoneNumbers: ['work'],
    [`${HR}:phoneNumbers`]: ['work'],
  })
})

describe('the tolerance elements-without-a-place, which the profile entra has', () => {
  it('elements with a place are kept in POST, PUT and Bulk, and others are reported', async () => {
    const { send, ignored } = serve('entra')
    const { status, body } = await send('POST', '/Users', sent)
    expect({ status, body }).toMatchObject({ status: 201, body: kept })
    const path = `/Users/${body.id}`
    expect(await send('PUT', path, sent)).toMatchObject({ status: 200, body: kept })
    const Operations = [{ method: 'PUT', path, data: sent }]
    const bulk = await send('POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
    expect(bulk.body.Operations).toMatchObject([{ status: '200' }])
    expect(ignored).toEqual([paths, paths, paths])
  })

  it('elements with a place are kept in PATCH, where a change to others is ignored', async () => {
    const { send, ignored } = serve('entra')
    const { body } = await send('POST', '/Users', { ...sent, phoneNumbers: [work] })
    const path = `/Users/${body.id}`
    const operations = [
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '2' },
      { op: 'Replace', path: 'phoneNumbers[type eq "fax"].value', value: '3' },
    ]
    expect(await send('PATCH', path, patchOf(...operations))).toEqual({
      status: 200,
      headers: expect.anything(),
      body,
    })
    const changed = { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '9' }
    const patched = await send('PATCH', path, patchOf(...operations, changed))
    expect(patched.body).toMatchObject({ phoneNumbers: [{ type: 'work', value: '9' }] })
    expect(ignored).toEqual([[], paths, paths])
  })

  it('a filter on an attribute without a column is ignored, but not in a removal', async () => {
    const { send, ignored } = serve('entra')
    const { body } = await send('POST', '/Users', sent)
    const path = `/Users/${body.id}`
    const target = 'emails[primary eq true].value'
    for (const op of ['Add', 'Replace']) {
      const patched = await send(
        'PATCH',
        path,
        patchOf({ op, path: target, value: 'b@example.com' }),
      )
      expect(patched).toMatchObject({ status: 200, body: kept })
      expect(ignored.at(-1)).toEqual([target])
    }
    const removal = patchOf({ op: 'Remove', path: target })
    expect(await send('PATCH', path, removal)).toMatchObject({ status: 400 })
  })

  it('an extension is dropped if all its elements lack a place', async () => {
    const { send, ignored } = serve('entra')
    const { body } = await send('POST', '/Users', { ...kept, [HR]: { phoneNumbers: [fax] } })
    expect(body).not.toHaveProperty([HR])
    expect(body.schemas).toEqual([USER_DEFINITION.id])
    expect(ignored).toEqual([[`${HR}:phoneNumbers[type eq "fax"]`]])
    const both = { [HR]: { phoneNumbers: [fax, work, { value: '5' }] } }
    const put = await send('PUT', `/Users/${body.id}`, { ...kept, ...both })
    expect(put.body).toMatchObject({ [HR]: { phoneNumbers: [work] } })
    expect(ignored.at(-1)).toEqual([`${HR}:phoneNumbers[type eq "fax"]`, `${HR}:phoneNumbers`])
  })

  it('at most 20 paths with 200 characters are reported, in time linear in the elements', async () => {
    const { send, ignored } = serve('entra')
    const phoneNumbers = Array.from({ length: 5_000 }, (_, at) => ({
      type: `${at}`.repeat(40),
      value: '1',
    }))
    expect(await send('POST', '/Users', { userName: 'a', phoneNumbers })).toMatchObject({
      status: 201,
    })
    expect(ignored[0]).toHaveLength(20)
    expect(ignored[0]?.every((path) => path.length <= 200)).toBe(true)
  })
})

it.each(['standard', 'okta'] as const)(
  'the profile %s rejects an element without a place',
  async (profile) => {
    const { send, ignored } = serve(profile)
    expect(await send('POST', '/Users', sent)).toMatchObject({
      status: 400,
      body: {
        scimType: 'invalidValue',
        detail: expect.stringContaining('phoneNumbers[0] cannot be stored'),
      },
    })
    expect(ignored).toEqual([[]])
  },
)

it('a custom profile may name the tolerance, and the name is checked', async () => {
  const { send } = serve({ ...PROFILES.standard, write: ['elements-without-a-place'] })
  expect(await send('POST', '/Users', sent)).toMatchObject({ status: 201, body: kept })
  const wrong = { ...PROFILES.standard, write: ['elements'] } as unknown as Profile
  expect(() => serve(wrong)).toThrow('profile.write')
})

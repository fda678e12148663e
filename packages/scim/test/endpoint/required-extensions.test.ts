import { describe, expect, it } from 'vitest'
import { ENTERPRISE_USER_SCHEMA } from '../../src/lib/constants.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { patchOf, serve, USER_DEFINITIONS } from './serve.ts'

describe('a required extension (RFC 7643 §6)', () => {
  const store = memoryStore({ definitions: USER_DEFINITIONS })
  const type = { name: 'User', endpoint: '/Users', definitions: USER_DEFINITIONS, store }
  const requiredExtensions = [ENTERPRISE_USER_SCHEMA]
  const { send } = serve({
    resourceTypes: [defineResourceType({ ...type, requiredExtensions })],
  })
  const extension = { [ENTERPRISE_USER_SCHEMA]: { department: 'Sales' } }

  it('a required extension is listed as required in the resource type', async () => {
    const { body } = await send('GET', '/ResourceTypes/User')
    expect(body.schemaExtensions).toEqual([{ schema: ENTERPRISE_USER_SCHEMA, required: true }])
  })

  it('a required extension must be sent in POST and PUT, and a PATCH cannot remove it', async () => {
    const rejected = {
      status: 400,
      body: { scimType: 'invalidValue', detail: `${ENTERPRISE_USER_SCHEMA} is required` },
    }
    const empty = { userName: 'a', [ENTERPRISE_USER_SCHEMA]: { department: null } }
    expect(await send('POST', '/Users', { userName: 'a' })).toMatchObject(rejected)
    expect(await send('POST', '/Users', empty)).toMatchObject(rejected)
    const { body } = await send('POST', '/Users', { userName: 'a', ...extension })
    const path = `/Users/${body.id}`
    expect(await send('PUT', path, { userName: 'a' })).toMatchObject(rejected)
    const removal = patchOf({ op: 'remove', path: `${ENTERPRISE_USER_SCHEMA}:department` })
    expect(await send('PATCH', path, removal)).toMatchObject(rejected)
    expect((await send('GET', path)).body).toMatchObject(extension)
  })
})

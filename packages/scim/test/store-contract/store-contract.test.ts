import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { defineResourceType, memoryStore, type ResourceType } from '@plumbline/scim/endpoint'
import { type StoreContractOptions, storeContract } from '@plumbline/scim/testing'
import { describe, expect, it } from 'vitest'
import { device } from '../device.ts'
import { FAULT_CASES } from './faults.cases.ts'
import { type Fault, wire } from './faults.ts'
import { makeStores } from './subject.ts'

const CHECKS = storeContract(() => ({ resourceTypes: [] }))

describe('storeContract over memoryStore', () => {
  for (const { name, run } of storeContract(() => ({ resourceTypes: directory() }))) {
    it(name, async () => {
      await run()
    })
  }

  it('examines a custom resource type alone', async () => {
    const skipped: string[] = []
    for (const { name, run } of storeContract(() => ({ resourceTypes: [devices()] }))) {
      if ((await run()).skipped !== null) skipped.push(name)
    }
    expect(skipped).toContain('provider: answers the requests of Okta as it expects')
    expect(skipped).not.toContain('create: keeps every attribute that the definitions declare')
  })
})

describe('storeContract over a store without faults', () => {
  const types = ['User', 'Group', 'Sensor', 'Machine'] as const
  for (const { name, run } of storeContract(() => makeStores(types, () => ({})))) {
    it(name, async () => {
      const { skipped } = await run()
      const isPaged = name.startsWith('list: pages by cursor')
      expect(skipped).toBe(isPaged ? 'no store declares cursors' : null)
    })
  }
})

describe('the checks of storeContract', () => {
  it('have different names, and cite a section', () => {
    expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length)
    for (const { section } of CHECKS) expect(section).toMatch(/^RFC \d{4} §\d/)
  })

  it('each find a fault', () => {
    const found = new Set(FAULT_CASES.flatMap(({ finds }) => finds))
    expect(CHECKS.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([])
  })

  it('have names of their own in the table of faults', () => {
    const names = FAULT_CASES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('are skipped without a resource type', async () => {
    const sort = CHECKS.find(({ name }) => name.startsWith('sort: orders numbers'))
    expect(await sort?.run()).toEqual({ skipped: 'no attribute has numbers' })
  })

  it('say what was sent, what was expected, what came and what to do', async () => {
    const fault = FAULT_CASES.find(({ name }) => name.startsWith('unique values are compared with'))
    const contract = storeContract(() => makeStores(['User'], fault?.fault ?? (() => ({}))))
    const check = contract.find(({ name }) => name.endsWith('in another letter case'))
    const error: unknown = await check?.run().catch((reason: unknown) => reason)
    expect(String(error)).toMatch(
      /^Error: unique: .* \(RFC 7643 §7\)\nsent: POST \/Users \{.*\nexpected: 409, because .*\ncame: 201 \{.*\nwhat to do: keep the folded value/,
    )
  })

  it('show the error of a store', async () => {
    const fault = () => ({
      create: async () => {
        throw new Error('the disk is full')
      },
    })
    const [check] = storeContract(() => makeStores(['User'], fault))
    const error = await check?.run().catch((reason: unknown) => reason)
    expect(String(error)).toMatch('because of Error: the disk is full')
    expect(error).toMatchObject({ cause: { message: expect.stringMatching(/^sent: POST/) } })
  })

  it('adapt each resource by its type and number', async () => {
    const adapted = new Set<string>()
    const adapt: NonNullable<StoreContractOptions['adapt']> = (body, { resourceType, number }) => {
      adapted.add(`${resourceType} ${number}`)
      return body
    }
    const contract = storeContract(() => makeStores(['User', 'Group'], () => ({})), { adapt })
    await contract.find(({ name }) => name.startsWith('list: counts all'))?.run()
    expect([...adapted]).toEqual(expect.arrayContaining(['User 1', 'User 7', 'Group 1', 'Group 7']))
    expect([...adapted].filter((one) => !/^(User|Group) \d+$/.test(one))).toEqual([])
  })

  it('remove no member if adapt omits the members', async () => {
    const adapt = ({ members: _members, ...others }: Record<string, unknown>) => others
    const contract = storeContract(() => makeStores(['User', 'Group'], () => ({})), { adapt })
    const check = contract.find(({ name }) => name.startsWith('transaction: a change of members'))
    expect(await check?.run()).toEqual({ skipped: null })
  })

  it('write members of a type without another string to write (RFC 7643 §4.2)', async () => {
    const contract = storeContract(() => ({ resourceTypes: [teams()] }))
    const check = contract.find(({ name }) => name.startsWith('members: are written together'))
    expect(await check?.run()).toEqual({ skipped: null })
  })

  describe('if a change selects a value that does not exist (RFC 7644 §3.5.2.3)', () => {
    // The resources are without the values that the check changes, as those of a table without their columns.
    const adapt = ({ ports: _ports, phones: _phones, ...others }: Record<string, unknown>) => ({
      ...others,
      phones: [{ value: '+1 555 0100', type: 'home' }],
    })
    const runOver = async (fault: Fault) =>
      await storeContract(() => makeStores(['Machine'], fault), { adapt })
        .find(({ name }) => name.startsWith('patch: changes the part of a value'))
        ?.run()

    it('accept the error of applyPatch', async () => {
      expect(await runOver(() => ({}))).toEqual({ skipped: null })
    })

    it('find a store that changes another value', async () => {
      const ports = [{ value: 'a', type: 'in' }]
      const fault: Fault = ({ store }) => ({
        read: async (id, context, request) => {
          const found = await store.read(id, context, request)
          return found && request.isForUpdate ? { ...wire(found), ports } : found
        },
      })
      await expect(runOver(fault)).rejects.toThrow(/expected: 400, because .*ports/)
    })
  })

  it('reject stores that are not new', async () => {
    const type = devices()
    const [check] = storeContract(() => ({ resourceTypes: [type] }))
    await check?.run()
    await expect(check?.run()).rejects.toThrow('an empty list: makeStores must return new stores')
  })

  it('close the stores after a check, also if it fails', async () => {
    let closed = 0
    const [check] = storeContract(() => ({
      ...makeStores(['User'], () => ({ create: async () => ({ id: '1' }) })),
      close: () => {
        closed += 1
      },
    }))
    await expect(check?.run()).rejects.toThrow(/another id than 1/)
    expect(closed).toBe(1)
  })
})

function devices(): ResourceType {
  const definitions = { [device.id]: device }
  const store = memoryStore({ definitions })
  return defineResourceType({ name: 'Device', endpoint: '/Devices', definitions, store })
}

/** Teams, of which a client can only write the members. */
function teams(): ResourceType {
  const team = {
    id: 'urn:example:params:scim:schemas:core:2.0:Team',
    name: 'Team',
    attributes: [
      { name: 'externalId', type: 'string', mutability: 'readOnly' },
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string', mutability: 'immutable' },
          { name: '$ref', type: 'reference', referenceTypes: ['Team'], mutability: 'immutable' },
        ],
      },
    ],
  } as const
  const definitions = { [team.id]: team }
  const store = memoryStore({ definitions })
  return defineResourceType({ name: 'Team', endpoint: '/Teams', definitions, store })
}

/** Users and groups with every attribute of RFC 7643. */
function directory(): readonly ResourceType[] {
  const users = {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  }
  const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const groupStore = memoryStore({ definitions: groups })
  const userStore = memoryStore({ definitions: users, groups: groupStore })
  return [
    defineResourceType({
      name: 'User',
      endpoint: '/Users',
      definitions: users,
      store: userStore,
    }),
    defineResourceType({
      name: 'Group',
      endpoint: '/Groups',
      definitions: groups,
      store: groupStore,
    }),
  ]
}

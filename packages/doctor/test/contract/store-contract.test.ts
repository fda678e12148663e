import {
  type ContractCheck,
  type StoreContractOptions,
  storeContract,
} from '@plumbline/doctor/testing'
import { ScimError } from '@plumbline/scim'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  memoryStore,
  type ResourceType,
  type WireResource,
} from '@plumbline/scim/endpoint'
import { describe, expect, it } from 'vitest'
import { device } from '../../../scim/test/device.ts'
import { useQuickDigests } from '../quick-digests.ts'
import { FAULT_CASES } from './faults.cases.ts'
import { conflict, type Fault, whenWritten, wire } from './faults.ts'
import { makeStores } from './subject.ts'

useQuickDigests()

const CHECKS = storeContract(() => ({ resourceTypes: [] }))
/** The topics whose checks apply to every type. Others are skipped for what the users of these tests lack. */
const OF_EVERY_TYPE = /^(stored|races|transactions|tenants)\./
/** The topics of stores. The faults of the others are in test/faults. */
const OF_STORES = /^(races|transactions|tenants)\./

/** Whether a check is not one of those that read in every way what was stored. */
const writes = ({ name }: ContractCheck): boolean => !name.startsWith('declared.')

it.each<[string, unknown, object]>([
  ['storeContract: makeStores must be a function', { resourceTypes: [] }, {}],
  ['storeContract: fold is unknown: did you mean folded?', makeStores, { fold: ['userName'] }],
  ['storeContract: folded must be a list of strings', makeStores, { folded: 'userName' }],
])('an invalid option is a TypeError: %s', (message, make, options) => {
  const create = () => storeContract(make as () => { resourceTypes: [] }, options)
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

describe('storeContract over memoryStore', () => {
  for (const { name, run } of storeContract(() => ({ resourceTypes: directory() }))) {
    it(name, async () => {
      await run()
    })
  }

  it('a custom resource type is examined alone, and nothing is left in its store', async () => {
    const type = devices()
    const skipped: string[] = []
    for (const { name, run } of storeContract(() => ({ resourceTypes: [type] }))) {
      if ((await run()).skipped !== null) skipped.push(name)
    }
    expect(skipped).toContain('entra.create: A new user with meta, empty lists and null is created')
    expect(skipped.filter((name) => /^stored.(create|replace|patch-add)/.test(name))).toEqual([])
    const { fetch } = createScimEndpoint({
      basePath: '/',
      resourceTypes: [type],
      authenticate: async () => ({}),
    })
    const list = await fetch(new Request('https://scim.example/Devices'))
    expect(await list.json()).toMatchObject({ totalResults: 0 })
  })
})

describe('storeContract over a store without faults', () => {
  const types = ['User', 'Group', 'Sensor', 'Machine'] as const
  for (const { name, run } of storeContract(() => makeStores(types, () => ({})))) {
    it(name, async () => {
      const { skipped } = await run()
      if (OF_EVERY_TYPE.test(name)) expect(skipped).toBeNull()
    })
  }
})

describe('RFC 7643 §3.1, §4.1.1 and §7: a correct store with rules of its own', () => {
  const lower = ({ userName, ...others }: WireResource): WireResource => ({
    ...others,
    ...(typeof userName === 'string' && { userName: userName.toLowerCase() }),
  })
  const keysOf = ({ externalId, emails, displayName, userName }: WireResource): Keys => [
    ...(externalId === undefined ? [] : [`externalId ${externalId}`]),
    ...[emails ?? []].flat().map((email) => `address ${Object(email).value}`),
    ...(userName === undefined ? [`name ${displayName}`] : []),
  ]
  const rules = [withIds('x/50%a?urn:a:b #'), whenWritten(lower), withUnique(keysOf)]
  const checksOf = (options: StoreContractOptions) =>
    storeContract(() => makeStores(['User', 'Group'], together(rules)), options)

  it('/ % ? : # and blanks in ids, a lower-case userName, and no equal externalIds, addresses or group names pass with the option folded', async () => {
    for (const { run } of checksOf({ folded: ['userName'] }).filter(writes)) await run()
  })

  it('a lower-case userName does not pass without the option folded', async () => {
    const check = checksOf({}).find(({ name }) => name.startsWith('stored.unique-own: '))
    await expect(check?.run()).rejects.toThrow(/expected: userName of .* to be/)
  })
})

describe('storeContract checks', () => {
  it('checks have different names, and cite a section', () => {
    expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length)
    for (const { section } of CHECKS) expect(section).toMatch(/^(RFC \d{4} §\d|Entra ID|Okta)/)
  })

  it('each check finds a fault', () => {
    const found = new Set(FAULT_CASES.flatMap(({ finds }) => finds))
    const ids = CHECKS.map(({ name }) => name.slice(0, name.indexOf(':')))
    expect(ids.filter((id) => OF_STORES.test(id) && !found.has(id))).toEqual([])
  })

  it('faults have unique names in the fault table', () => {
    const names = FAULT_CASES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('checks are skipped if no resource type has what they examine', async () => {
    const contract = storeContract(() => makeStores(['User'], () => ({})))
    const members = contract.find(({ name }) => name.startsWith('transactions.members: '))
    expect(await members?.run()).toEqual({ skipped: 'No resource type has members.' })
  })

  it('a failed check says what was sent, what was expected, what came and what to do', async () => {
    const fault = FAULT_CASES.find(({ name }) => name.startsWith('unique values are compared with'))
    const contract = storeContract(() => makeStores(['User'], fault?.fault ?? (() => ({}))))
    const check = contract.find(({ name }) => name.startsWith('stored.unique-letter-case'))
    const error: unknown = await check?.run().catch((reason: unknown) => reason)
    expect(String(error)).toMatch(
      /^Error: stored\.unique.* \(RFC 7643 §7\)\nsent: POST \/Users \{.*\nsent: POST \/Users \{.*\nexpected: POST \/Users to answer 409\ncame: 201\nwhat to do: Keep the folded value/,
    )
  })

  it("a failed check shows the store's error", async () => {
    const fault = () => ({
      create: async () => {
        throw new Error('the disk is full')
      },
    })
    const contract = storeContract(() => makeStores(['User'], fault))
    const check = contract.find(({ name }) => name.startsWith('stored.minimal: '))
    const error = await check?.run().catch((reason: unknown) => reason)
    expect(String(error)).toMatch('Error: the disk is full')
    expect(String(error)).toMatch(/^Error: stored.minimal: .*\nsent: POST/)
  })

  it('a check fails if the store answers 503', async () => {
    const fault = () => ({
      read: async () => {
        throw new ScimError(503, 'the database is down')
      },
    })
    const contract = storeContract(() => makeStores(['User'], fault))
    const check = contract.find(({ name }) => name.startsWith('tenants.read: '))
    await expect(check?.run()).rejects.toThrow(/GET \/Users\/user-\d+: 503/)
  })

  it("adapt receives each resource's type and number", async () => {
    const adapted = new Set<string>()
    const adapt: NonNullable<StoreContractOptions['adapt']> = (body, { resourceType, number }) => {
      adapted.add(`${resourceType} ${number}`)
      return body
    }
    const contract = storeContract(() => makeStores(['User', 'Group'], () => ({})), { adapt })
    await contract.find(({ name }) => name.startsWith('races.versions: '))?.run()
    const types = [...adapted].map((one) => one.replace(/ \d+$/, ''))
    expect(types.filter((one) => one === 'User').length).toBeGreaterThan(3)
    expect(types.filter((one) => one === 'Group').length).toBeGreaterThan(3)
    expect(new Set(types)).toEqual(new Set(['User', 'Group']))
  })

  it('checks remove no member if adapt omits the members', async () => {
    const adapt = ({ members: _members, ...others }: Record<string, unknown>) => others
    const contract = storeContract(() => makeStores(['User', 'Group'], () => ({})), { adapt })
    const check = contract.find(({ name }) => name.startsWith('transactions.members: '))
    expect(await check?.run()).toEqual({ skipped: null })
  })

  describe('a change selecting a value that does not exist (RFC 7644 §3.5.2.3)', () => {
    // The resources are without the values that the check changes, as those of a table without their columns.
    const adapt = ({ ports: _ports, phones: _phones, ...others }: Record<string, unknown>) => ({
      ...others,
      phones: [{ value: '+1 555 0100', type: 'home' }],
    })
    const runOver = async (fault: Fault) =>
      await storeContract(() => makeStores(['Machine'], fault), { adapt })
        .find(({ name }) => name.startsWith('stored.patch-parts: '))
        ?.run()

    it('checks accept the error from applyPatch', async () => {
      expect(await runOver(() => ({}))).toEqual({ skipped: null })
    })

    it('checks find a store that changes another value', async () => {
      const ports = [{ value: 'a', type: 'in' }]
      const fault: Fault = ({ store }) => ({
        read: async (id, context, request) => {
          const found = await store.read(id, context, request)
          return found && request.isForUpdate ? { ...wire(found), ports } : found
        },
      })
      await expect(runOver(fault)).rejects.toThrow(/expected: PATCH .* to answer 400/)
    })
  })

  it('checks close the stores afterwards, even if they fail', async () => {
    let closed = 0
    const [check] = storeContract(() => ({
      ...makeStores(['User'], () => ({ create: async () => ({ id: '1' }) })),
      close: () => {
        closed += 1
      },
    }))
    await expect(check?.run()).rejects.toThrow(/two ids of two resources/)
    expect(closed).toBe(1)
  })
})

/** Applies changes of a store one after another. */
function together(changes: readonly Fault[]): Fault {
  return (parts) => {
    let { store } = parts
    for (const change of changes) store = { ...store, ...change({ ...parts, store }) }
    return store
  }
}

/** Stores the resources under ids with a prefix. */
function withIds(prefix: string): Fault {
  return ({ database, store }) => ({
    create: async (...call) => {
      const created = await store.create(...call)
      const id = `${prefix}${created['id']}`
      const resource = { ...created, id }
      database.rows = database.rows.map((row) =>
        row.resource === created ? { ...row, resource } : row,
      )
      return resource
    },
  })
}

type Keys = readonly string[]

/** Rejects a resource with a key that another one has. */
function withUnique(keysOf: (resource: WireResource) => Keys): Fault {
  return ({ store, database, name }) => {
    const requireUnique = (resource: WireResource, own: unknown, tenant: string): void => {
      const keys = keysOf(resource)
      const isTaken = database.rows.some(
        (row) =>
          row.type === name &&
          row.tenant === tenant &&
          row.resource['id'] !== own &&
          keysOf(row.resource).some((key) => keys.includes(key)),
      )
      if (isTaken) throw conflict()
    }
    return {
      create: async (resource, context, request) => {
        requireUnique(resource, null, context.tenant)
        return await store.create(resource, context, request)
      },
      replace: async (id, resource, context, request) => {
        requireUnique(resource, id, context.tenant)
        return await store.replace(id, resource, context, request)
      },
    }
  }
}

function devices(): ResourceType {
  const definitions = { [device.id]: device }
  const store = memoryStore({ definitions })
  return defineResourceType({ name: 'Device', endpoint: '/Devices', definitions, store })
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

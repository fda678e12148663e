import type { ResourceStore, ResourceType } from '@plumbline/scim/endpoint'
import { sampleResource } from '../model/generate.ts'
import { createSend, idOf } from './client.ts'
import type { StoreContractOptions } from './contract-check.ts'
import { expectCreated } from './expectations.ts'
import { type StoresUnderTest, serve } from './serve.ts'
import { createServed, type World } from './world.ts'

/** Serves the stores to a check. */
export function openWorld<Context extends object>(
  stores: StoresUnderTest<Context>,
  options: StoreContractOptions = {},
): World {
  const { resourceTypes, transaction } = stores
  const send = createSend(serve(stores, resourceTypes))
  let number = FIRST_TARGET
  const createTarget = async (names: readonly string[]): Promise<string> => {
    const type = types.find(({ name }) => names.includes(name))
    number += 1
    if (type === undefined) return `unserved-${number}`
    const refer = (): string => ''
    const resource = sampleResource(type, number, { extent: 'minimal', refer })
    const body = type.adapt(resource, { resourceType: type.name, number })
    const answer = await send('POST', type.endpoint, body)
    return idOf(expectCreated(answer).body)
  }
  const types = resourceTypes.map((type) => createServed({ ...type, send, options, createTarget }))
  return {
    send,
    types,
    sendAsOther:
      stores.otherContext === undefined
        ? null
        : createSend(serve(stores, resourceTypes, { isOther: true })),
    sendFailing:
      transaction === undefined ? null : createSend(serve(stores, resourceTypes.map(failing))),
  }
}

/** The resource type with a store whose writes throw after the store has done them. */
function failing<Context>(type: ResourceType<Context>): ResourceType<Context> {
  const { store } = type
  const fail = async (work: Promise<unknown>): Promise<never> => {
    await work
    throw new Error('the write fails on purpose')
  }
  const wrapped: ResourceStore<Context> = {
    read: (...call) => store.read(...call),
    list: (...call) => store.list(...call),
    create: (...call) => fail(store.create(...call)),
    replace: (...call) => fail(store.replace(...call)),
    delete: (...call) => fail(store.delete(...call)),
    ...(store.changeMembers && {
      changeMembers: (...call) => fail(Promise.resolve(store.changeMembers?.(...call))),
      findMembers: async (...call) => (await store.findMembers?.(...call)) ?? [],
    }),
    ...(store.removeReferences && {
      removeReferences: async (...call) => store.removeReferences?.(...call),
    }),
  }
  return { ...type, store: wrapped }
}

/** The numbers of the resources that others refer to. */
const FIRST_TARGET = 1_000

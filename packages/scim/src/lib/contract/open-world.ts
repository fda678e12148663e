import { createScimEndpoint } from '../endpoint/endpoint.ts'
import type { ScimEndpointOptions } from '../endpoint/options.ts'
import type { ProfileName } from '../endpoint/profiles.ts'
import type { ResourceType } from '../endpoint/resource-type.ts'
import type { ResourceStore } from '../endpoint/store.ts'
import { BASE, createSend, idOf, type Send } from './client.ts'
import { expectStatus } from './expectations.ts'
import { sampleResource } from './sample.ts'
import { type Adapt, createServed, type World } from './world.ts'

/** Empty stores, as an endpoint serves them. */
export interface StoresUnderTest<Context = unknown>
  extends Pick<ScimEndpointOptions<Context>, 'resourceTypes' | 'transaction' | 'toScimError'> {
  /** The context of the requests; an empty object by default. */
  readonly context?: Context
  /** Another context, such as another tenant, whose requests must not reach the resources of the first. */
  readonly otherContext?: Context
  /** Called after each check, such as to close the database. */
  close?(): Promise<void> | void
}

/** Serves the stores to a check. */
export function openWorld<Context>(stores: StoresUnderTest<Context>, adapt: Adapt): World {
  const { resourceTypes, transaction } = stores
  const send = sendTo(stores, resourceTypes)
  let number = FIRST_TARGET
  const createTarget = async (names: readonly string[]): Promise<string> => {
    const type = resourceTypes.find(({ name }) => names.includes(name))
    number += 1
    if (type === undefined) return `unserved-${number}`
    const refer = (): string => ''
    const resource = sampleResource(type.definitions, number, { extent: 'minimal', refer })
    const body = adapt(resource, { resourceType: type.name, number })
    const answer = await send('POST', type.endpoint, body)
    return idOf(expectStatus(answer, 201, 'the resource is valid').body)
  }
  return {
    adapt,
    send,
    types: resourceTypes.map((type) => createServed({ ...type, send, adapt, createTarget })),
    cursors: resourceTypes.flatMap(({ name, store }) => (store.cursors ? [name] : [])),
    sendAsOther:
      stores.otherContext === undefined ? null : sendTo(stores, resourceTypes, { isOther: true }),
    sendFailing: transaction === undefined ? null : sendTo(stores, resourceTypes.map(failing)),
    sendFrom: (profile) => sendTo(stores, resourceTypes, { profile }),
  }
}

interface Sender {
  readonly profile?: ProfileName
  readonly isOther?: boolean
}

/** Serves resource types over the stores, and returns the function that sends requests to them. */
function sendTo<Context>(
  { transaction, toScimError, context, otherContext }: StoresUnderTest<Context>,
  resourceTypes: readonly ResourceType<Context>[],
  { profile = 'standard', isOther = false }: Sender = {},
): Send {
  // Stores that do not use a context accept any.
  const own = ((isOther ? otherContext : context) ?? {}) as Context
  const faults = new WeakMap<Request, unknown>()
  const endpoint = createScimEndpoint<Context>({
    basePath: new URL(BASE).pathname,
    resourceTypes,
    authenticate: async () => own,
    profile,
    transaction,
    toScimError,
    onError: (error, { request }) => void faults.set(request, error),
  })
  return createSend(endpoint.fetch, faults)
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
  }
  return { ...type, store: wrapped }
}

/** The numbers of the resources that others refer to. */
const FIRST_TARGET = 1_000

import { GROUP_SCHEMA, PATCH_OP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { peopleOf } from '@plumbline/scim/testing'
import { ExaminationError } from '../examination-error.ts'
import type { Received, SendOptions } from '../http/exchange.ts'
import { type JsonObject, memberAt } from '../json.ts'
import type { Documents } from '../model/documents.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { expectList, show } from './expect.ts'
import { skip } from './finding.ts'
import { declaredOf, sampleResource } from './sample.ts'

/** A resource that the examination created. */
export interface Created {
  readonly id: string
  /** The path below the base URL, such as `/Users/1`. */
  readonly path: string
  /** The resource as it was sent. */
  readonly sent: JsonObject
  /** The resource as the server returned it. */
  readonly body: JsonObject
  readonly response: Received
}

/** The name of a shared user. */
export type PersonName = 'ada' | 'bob' | 'eve'

/** The shared users. Checks must not change or delete them. */
export type People = Readonly<Record<PersonName, Created>>

/** An operation of a PATCH request (RFC 7644 §3.5.2). */
export interface Operation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

/** The server as a check sees it: requests, its discovery documents, samples and shared resources. */
export interface Server extends Client {
  /** The responses of the discovery endpoints; a check of them sends no request. */
  readonly documents: Documents
  /** The resource types that the server serves. */
  readonly types: readonly ExaminedType[]
  /** The type with the name, or with the schema of users or groups for `User` and `Group`. Without it, the check is skipped. */
  type(name: string): ExaminedType
  /** A text that no resource of the server contains. */
  unique(): string
  /** A valid resource of a type that does not exist yet. Overrides replace members; undefined removes one. */
  sample(type: string, overrides?: JsonObject): JsonObject
  /** Creates a resource that this check may change. If the server rejects it, the check is skipped. */
  create(type: string, overrides?: JsonObject): Promise<Created>
  /** Sends a PATCH request with the operations. */
  modify(path: string, ...operations: readonly Operation[]): Promise<Received>
  /** The shared users, which are created for the first check that needs them. */
  people(): Promise<People>
  /** The shared group, whose members are ada and bob. */
  team(): Promise<Created>
  /** The shared users that a filter selects, in alphabetical order. Other users of the server are ignored. */
  matches(filter: string, options?: SendOptions): Promise<readonly PersonName[]>
}

/** The shared resources, once per examination. */
export interface Shared {
  people: Promise<People> | null
  team: Promise<Created> | null
  /** By type, how many resources in a row were not created since the last one that was. */
  readonly rejections: Map<string, number>
}

/** The parts of a server that do not depend on the check. */
export interface ServerOptions {
  readonly documents: Documents
  readonly types: readonly ExaminedType[]
  /** The start of every unique text. */
  readonly marker: string
  readonly unique: () => string
  readonly shared: Shared
  /** Keeps the resources that exist now until the end of the examination. */
  readonly keep: () => void
}

/** Creates the server that one check sees. */
export function createServer(options: ServerOptions, client: Client): Server {
  const { documents, types, unique, shared } = options
  const typeOf = (name: string): ExaminedType => findType(types, name)
  const sample = (name: string, overrides: JsonObject = {}): JsonObject =>
    withOverrides(sampleResource(typeOf(name), unique), overrides)
  const create = (name: string, overrides?: JsonObject): Promise<Created> =>
    createResource(options, client, typeOf(name), sample(name, overrides))
  const people = (): Promise<People> => {
    shared.people ??= createPeople(options, client, typeOf('User'))
    return shared.people
  }
  const team = async (): Promise<Created> => {
    const members = await people()
    shared.team ??= createTeam(options, create, members)
    return shared.team
  }
  return {
    ...client,
    documents,
    types,
    type: typeOf,
    unique,
    sample,
    create,
    modify: (path, ...Operations) => client.patch(path, { schemas: [PATCH_OP_SCHEMA], Operations }),
    people,
    team,
    matches: async (filter, own) => matching(options, client, await people(), { filter, own }),
  }
}

function findType(types: readonly ExaminedType[], name: string): ExaminedType {
  const schema = { User: USER_SCHEMA, Group: GROUP_SCHEMA }[name]
  const found = types.find((type) =>
    schema === undefined ? type.name === name : type.schema === schema,
  )
  return found ?? skip(`The server does not have the resource type ${name}.`)
}

function withOverrides(resource: JsonObject, overrides: JsonObject): JsonObject {
  const merged = Object.entries({ ...resource, ...overrides })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

async function createResource(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
  sent: JsonObject,
): Promise<Created> {
  const response = await client.post(type.endpoint, sent)
  const id = memberAt(response.body, 'id')
  if (response.status !== 201 || typeof id !== 'string') {
    const detail = memberAt(response.body, 'detail')
    await requireSpace(options, client, type, response)
    skip(`A ${type.name} could not be created: ${response.status} ${show(detail)}.`)
  }
  options.shared.rejections.set(type.name, 0)
  const path = `${type.endpoint}/${encodeURIComponent(id)}`
  return { id, path, sent, body: response.body, response }
}

/**
 * Throws an ExaminationError if a server that created such resources before does not store more: it forbids them, or
 * it rejected three in a row and rejects a plain one, too.
 */
async function requireSpace(
  { shared: { rejections }, unique }: ServerOptions,
  client: Client,
  type: ExaminedType,
  { request, status }: Received,
): Promise<void> {
  const count = rejections.get(type.name)
  if (count === undefined) return
  rejections.set(type.name, count + 1)
  if (status !== 402 && status !== 403) {
    if (count + 1 < 3) return
    rejections.set(type.name, 0)
    const plain = await client.post(type.endpoint, sampleResource(type, unique))
    if (plain.status === 201) return
  }
  const message = `${request}: ${status}; the server created such resources before, and does not create more`
  throw new ExaminationError('full', message)
}

async function createPeople(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
): Promise<People> {
  const people = peopleOf(`${options.marker}-x`)
  const make = async (name: PersonName): Promise<Created> => {
    const values = declaredOf(type, people[name])
    const sent: JsonObject = { schemas: [type.schema], ...values }
    for (const { schema } of type.extensions) {
      if (Object.hasOwn(people[name], schema)) {
        sent.schemas = [type.schema, schema]
        sent[schema] = people[name][schema]
      }
    }
    return createResource(options, client, type, sent)
  }
  const created = { ada: await make('ada'), bob: await make('bob'), eve: await make('eve') }
  options.keep()
  return created
}

async function createTeam(
  { keep }: ServerOptions,
  create: Server['create'],
  { ada, bob }: People,
): Promise<Created> {
  const team = await create('Group', { members: [{ value: ada.id }, { value: bob.id }] })
  keep()
  return team
}

/** Sends a filter; if its result does not fit a page, it is limited to the shared users. */
async function matching(
  { marker, types }: ServerOptions,
  client: Client,
  people: People,
  { filter, own }: { readonly filter: string; readonly own: SendOptions | undefined },
): Promise<readonly PersonName[]> {
  const { endpoint } = findType(types, 'User')
  const send = async (text: string): Promise<Received> =>
    client.get(endpoint, { ...own, query: { ...own?.query, filter: text, count: 100 } })
  let response = await send(filter)
  let found = expectList(response)
  if (Number(response.body.totalResults) > found.length) {
    response = await send(`userName sw ${JSON.stringify(`${marker}-x.`)} and (${filter})`)
    found = expectList(response)
  }
  const ids = new Set(found.map(({ id }) => id))
  return NAMES.filter((name) => ids.has(people[name].id))
}

const NAMES = ['ada', 'bob', 'eve'] as const

import type { Received } from '../http/exchange.ts'
import { type JsonObject, memberAt, objectsOf, withAt } from '../json.ts'
import { type ExaminedType, findAttribute } from '../model/types.ts'
import { findVocabulary } from '../model/vocabulary.ts'
import { peopleOf } from '../rows/people.ts'
import { renamingOf } from '../rows/renaming.ts'
import type { Client } from './client.ts'
import { createResource, findType } from './create.ts'
import { expectList } from './expect.ts'
import { block, skip } from './finding.ts'
import { declaredOf, sampleResource } from './sample.ts'
import type { Created, MatchOptions, People, PersonName, Server, ServerOptions } from './server.ts'

/** Creates the shared users, with as many values as the server accepts. */
export async function createPeople(
  options: ServerOptions,
  client: Client,
  type: ExaminedType,
): Promise<People> {
  const people = peopleOf(`${options.marker}-x`)
  const make = async (name: PersonName): Promise<Created> => {
    const values = declaredOf(type, ofKnownKinds(type, withNamesOf(type, people[name])))
    const sent: JsonObject = { schemas: [type.schema], ...values }
    for (const { schema } of type.extensions) {
      if (Object.hasOwn(people[name], schema)) {
        sent.schemas = [type.schema, schema]
        sent[schema] = people[name][schema]
      }
    }
    const required = (resource: JsonObject): JsonObject => ({
      ...sampleResource(type, options.unique),
      userName: resource.userName,
    })
    return createResource(options, client, type, options.adapt(sent, type.name), {
      fewer: [required],
    })
  }
  const created = { ada: await make('ada'), bob: await make('bob'), eve: await make('eve') }
  options.keep()
  return created
}

/** Renames a person's attributes to the server's names, where rows compare them. */
function withNamesOf(type: ExaminedType, person: Readonly<JsonObject>): JsonObject {
  const { displayName, title, emails, ...others } = person
  const vocabulary = findVocabulary(type)
  const compared = { title, emails, ...(vocabulary.text !== 'userName' && { displayName }) }
  return withAt(others, renamingOf(vocabulary).values(compared))
}

/** Removes a person's values whose `type` is not canonical: a server may lack a place for them. */
function ofKnownKinds(type: ExaminedType, person: Readonly<JsonObject>): JsonObject {
  const entries = Object.entries(person).flatMap(([name, value]): [string, unknown][] => {
    const kinds = findAttribute(type, `${name}.type`)?.canonicalValues ?? []
    if (!Array.isArray(value) || kinds.length === 0) return [[name, value]]
    const kept = value.filter((one) => kinds.includes(Object(one).type))
    return kept.length === 0 ? [] : [[name, kept]]
  })
  return Object.fromEntries(entries)
}

/** Creates the shared group. */
export async function createTeam(
  { keep }: ServerOptions,
  create: Server['create'],
  { ada, bob }: People,
): Promise<Created> {
  const team = await create('Group', { members: [{ value: ada.id }, { value: bob.id }] })
  keep()
  return team
}

/** Finds the filter for exactly the shared users. A server may support some operators only. */
export async function findEveryone(
  { marker, types }: ServerOptions,
  client: Client,
  people: People,
): Promise<string> {
  const { endpoint } = findType(types, 'User')
  const quoted = NAMES.map((name) => JSON.stringify(people[name].sent.userName))
  const ways = [
    quoted.map((name) => `userName eq ${name}`).join(' or '),
    `userName sw ${JSON.stringify(`${marker}-x.`)}`,
  ]
  for (const filter of ways) {
    const { status, body } = await client.get(endpoint, { query: { filter, count: 100 } })
    const ids = status === 200 ? objectsOf(body.Resources).map(({ id }) => id) : []
    if (ids.length === 3 && NAMES.every((name) => ids.includes(people[name].id))) return filter
  }
  return block('No filter that the server supports selects the users of the examination.')
}

/** Sends a filter; if the result does not fit a page, it is limited to the shared users. */
export async function matching(
  { marker, types }: ServerOptions,
  client: Client,
  people: People,
  { filter, own }: { readonly filter: string; readonly own: MatchOptions | undefined },
): Promise<readonly PersonName[]> {
  const { endpoint } = findType(types, 'User')
  const send = async (text: string, startIndex = 1): Promise<Received> => {
    const page = startIndex === 1 ? {} : { startIndex }
    const query = { ...own?.query, filter: text, count: 100, ...page }
    const response = await client.get(endpoint, { ...own, query })
    // RFC 7644 §3.12: for an unsupported comparison, the server answers invalidFilter.
    const isInvalid = response.status === 400 && own?.isRequired !== true
    if (isInvalid && memberAt(response.body, 'scimType') === 'invalidFilter') {
      skip(`The server does not support the filter ${text}.`)
    }
    return response
  }
  let response = await send(filter)
  const found = [...expectList(response)]
  if (Number(response.body.totalResults) > found.length) {
    const limited = `userName sw ${JSON.stringify(`${marker}-x.`)} and (${filter})`
    response = await send(limited)
    found.splice(0, found.length, ...expectList(response))
    // A page may be shorter than the count (RFC 7644 §3.4.2.4).
    while (found.length < Math.min(Number(response.body.totalResults), NAMES.length)) {
      const more = expectList(await send(limited, found.length + 1))
      if (more.length === 0) break
      found.push(...more)
    }
  }
  const ids = new Set(found.map(({ id }) => id))
  return NAMES.filter((name) => ids.has(people[name].id))
}

const NAMES = ['ada', 'bob', 'eve'] as const

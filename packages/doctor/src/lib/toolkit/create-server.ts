import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { type JsonObject, namesOf, withAt } from '../json.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import { createResource, findType } from './create.ts'
import { createPeople, createTeam, findEveryone, matching } from './people.ts'
import { type Generated, sampleResource } from './sample.ts'
import type { Created, People, Server, ServerOptions, Shared } from './server.ts'
import { createGenerated, createShelf, generateSample } from './shelf.ts'
import { wordsOf } from './words.ts'

/** Creates the server one check sees. */
export function createServer(options: ServerOptions, client: Client): Server {
  const { documents, types, unique, shared } = options
  const typeOf = (name: string): ExaminedType => findType(types, name)
  const sample = (name: string, overrides: JsonObject = {}): JsonObject =>
    withOverrides(options.adapt(sampleResource(typeOf(name), unique), typeOf(name).name), overrides)
  const create = (name: string, overrides?: JsonObject): Promise<Created> =>
    createResource(options, client, typeOf(name), sample(name, overrides), { needed: overrides })
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
    words: () => wordsOf(typeOf('User')),
    set: (values) => {
      const user = withAt(sample('User'), values)
      return Object.fromEntries(Object.keys(values).map((path) => memberOf(user, path)))
    },
    fit: (path, text) => (path === 'userName' ? String(sample('User').userName) : text),
    create,
    whole: (type) => generateSample(options, type, nextWhole(shared, type)),
    minimal: (type) =>
      generateSample(options, type, { ...nextWhole(shared, type), extent: 'minimal' }),
    settle: options.settle,
    createWhole: (type, overrides) =>
      createGenerated(options, client, type, nextWhole(shared, type), overrides),
    modify: (path, ...Operations) => client.patch(path, { schemas: [PATCH_OP_SCHEMA], Operations }),
    people,
    everyone: async () => {
      const users = await people()
      shared.everyone ??= findEveryone(options, client, users)
      return shared.everyone
    },
    leaks: shared.leaks,
    isThorough: options.isThorough,
    shelf: (type) => {
      const shelf = shared.shelves.get(type.endpoint) ?? createShelf(options, client, type)
      shared.shelves.set(type.endpoint, shelf)
      return shelf
    },
    team,
    matches: async (filter, own) => matching(options, client, await people(), { filter, own }),
  }
}

/** The shelves have smaller numbers. */
function nextWhole({ wholes }: Shared, { endpoint }: ExaminedType): Generated {
  const count = (wholes.get(endpoint) ?? 0) + 1
  wholes.set(endpoint, count)
  return { number: 20 + count, extent: 'whole' }
}

function memberOf(resource: JsonObject, path: string): readonly [string, unknown] {
  const [name = ''] = namesOf(path)
  return [name, resource[name]]
}

function withOverrides(resource: JsonObject, overrides: JsonObject): JsonObject {
  const merged = Object.entries({ ...resource, ...overrides })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

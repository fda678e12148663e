import type { Check } from '../../check.ts'
import type { Received } from '../../http/exchange.ts'
import type { JsonObject } from '../../json.ts'
import {
  type Field,
  fieldsOf,
  isUnique,
  readAttribute,
  writeAttribute,
} from '../../model/fields.ts'
import { kindOf, sampleValue } from '../../model/generate.ts'
import type { Attribute, ExaminedType } from '../../model/types.ts'
import { differences, UNASSIGNED } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { withReferences } from '../../toolkit/references.ts'
import type { Server } from '../../toolkit/server.ts'
import { otherTypes } from '../declared/shelves.ts'
import { isOpen, listsOf, readWhole } from './wholes.ts'

/** Resources of each type as they are created. */
export const CREATE_CHECKS: readonly Check[] = [
  {
    id: 'stored.ids',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'It MUST be a stable, non-reassignable identifier',
    title: 'Each resource of a type has an id of its own, also after others were deleted',
    needs: ['write'],
    advice:
      'Use UUIDs, or keys that the database never reuses: autoincrement on SQLite. A client, or a group, may still refer to the old resource.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const existing = [await server.createWhole(type), await server.createWhole(type)]
        const ids = new Set(existing.map(({ id }) => id))
        expectThat(ids.size === 2, 'two ids of two resources', [...ids])
        // The newest, and then all, because a database may continue after the greatest key that exists.
        for (const count of [1, 2]) {
          for (const { path } of existing.splice(-count)) {
            expectStatus(await server.delete(path), 200, 204)
          }
          const next = await server.createWhole(type)
          expectThat(!ids.has(next.id), 'an id that no resource had before', next.id)
          ids.add(next.id)
          existing.push(next)
        }
      }
    },
  },
  {
    id: 'stored.create',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title: 'A new resource of each type has every value that was sent, and that a schema declares',
    needs: ['write'],
    advice:
      'Accept and store each attribute, or remove it from the schema, such as by pickAttributes. Allow NULL for optional ones.',
    affects: { entra: 'Mapped attributes are never stored, although the schema declares them.' },
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const whole = server.whole(type)
        const sent = server.isThorough ? await withReferences(server, type, whole) : whole
        const response = await server.post(type.endpoint, sent)
        // A server may reject values without a place.
        if (response.status === 400 && !server.isThorough) continue
        await expectStored(server, type, pathOf(type, response), sent)
      }
    },
  },
  {
    id: 'stored.minimal',
    section: 'RFC 7643 §2.2',
    level: 'practice',
    title: 'A resource of each type is created with only the required attributes',
    needs: ['write'],
    advice: 'Allow NULL in the columns of optional attributes, or declare them as required.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const sent = await minimalOf(server, type)
        const path = pathOf(type, await server.post(type.endpoint, sent))
        const stored = await readWhole(server, type, path)
        const fields = readFields(server, type).filter((field) => hasValue(sent, field))
        expectNoDifferences(differences(fields, sent, stored), `${path} as it was sent`)
      }
    },
  },
  {
    id: 'stored.responses',
    section: 'RFC 7644 §3.3',
    level: 'SHOULD',
    quote: "The response body SHOULD contain the service provider's",
    title: 'The responses to POST and PUT of each type have the values that GET returns',
    needs: ['write'],
    advice: 'Return from POST and PUT what GET returns for the resource after the change.',
    run: async (server) => {
      for (const type of otherTypes(server)) {
        const created = await server.createWhole(type)
        await expectAsRead(server, type, created.path, created.response)
        const next = withImmutable(fieldsOf(type.definitions), server.whole(type), created.sent)
        const replaced = await server.put(created.path, server.isThorough ? next : created.sent)
        expectStatus(replaced, 200, 204)
        await expectAsRead(server, type, created.path, replaced)
      }
    },
  },
  {
    id: 'stored.texts',
    section: 'RFC 7643 §2.3.1',
    level: 'practice',
    title: 'Texts of each type are stored exactly as they were sent, or rejected if they are long',
    needs: ['write'],
    advice:
      'Send values as parameters of the statement, never in its text. Do not trim, escape or normalize them. Use columns without a limit, or answer 400.',
    run: async (server) => {
      const types = otherTypes(server).filter((type) => freeTexts(server, type).length > 0)
      if (types.length === 0) skip('No resource type has a text that a client may choose.')
      for (const type of types) {
        for (const text of server.isThorough ? [...TEXTS, ...LONG_TEXTS] : TEXTS.slice(0, 1)) {
          const body = server.settle(type, withText(server, type, text))
          const response = await server.post(type.endpoint, body)
          const isRejected = response.status === 400 && LONG_TEXTS.includes(text)
          if (!isRejected) await expectKept(server, type, response, body, freeTexts(server, type))
        }
      }
    },
  },
  {
    id: 'stored.lists',
    section: 'RFC 7643 §2.4',
    level: 'practice',
    title: 'All values of a list are stored, whatever their types are, or they are rejected',
    needs: ['write'],
    advice: 'Store each value in a row of its own. Answer 400 for a value without a place.',
    run: async (server) => {
      const lists = otherTypes(server).flatMap((type) =>
        listsOf(type)
          .filter(isTyped)
          .map((field) => ({ type, field })),
      )
      if (lists.length === 0) skip('No resource type has a list whose values have a type.')
      for (const { type, field } of lists) {
        for (const values of severalValues(field)) {
          const body = writeAttribute(server.whole(type), field, values)
          const response = await server.post(type.endpoint, body)
          if (response.status !== 400) await expectKept(server, type, response, body, [field])
        }
      }
    },
  },
]

/** A resource with only the required attributes, or with the usual ones of a server that may expect more. */
export async function plainOf(server: Server, type: ExaminedType): Promise<JsonObject> {
  return server.isThorough ? await minimalOf(server, type) : server.sample(type.name)
}

/** Creates a plain resource, and returns its path. */
export async function createPlain(server: Server, type: ExaminedType): Promise<string> {
  if (!server.isThorough) return (await server.create(type.name)).path
  return pathOf(type, await server.post(type.endpoint, await minimalOf(server, type)))
}

async function minimalOf(server: Server, type: ExaminedType): Promise<JsonObject> {
  const isRequired = ({ attribute }: Field): boolean => attribute.required === true
  return await withReferences(server, type, server.minimal(type), isRequired)
}

/** Requires that a resource was created with the attributes as they were sent. A server may reject a text. */
async function expectKept(
  server: Server,
  type: ExaminedType,
  response: Received,
  sent: JsonObject,
  fields: readonly Field[],
): Promise<void> {
  if (response.status === 400 && !server.isThorough) return
  const path = pathOf(type, response)
  const lines = differences(fields, sent, await readWhole(server, type, path))
  expectNoDifferences(lines, `${path} as it was sent`)
}

/** Requires that a resource is read as it was sent: in an examination that is not thorough, a server may alter values. */
export async function expectStored(
  server: Server,
  type: ExaminedType,
  path: string,
  sent: JsonObject,
): Promise<void> {
  const stored = await readWhole(server, type, path)
  const lines = differences(readFields(server, type), sent, stored)
  const losses = lines.filter((line) => server.isThorough || line.endsWith(`came ${UNASSIGNED}`))
  expectNoDifferences(losses, `${path} as it was sent`)
}

/** The attributes that `readWhole` reads, without the client's identifier, which not every server keeps. */
function readFields(server: Server, { definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ attribute: { name, returned } }) =>
      server.isThorough || (returned !== 'request' && name !== 'externalId'),
  )
}

/** Requires that the response to a write has what GET returns. A server may omit the body. */
export async function expectAsRead(
  server: Server,
  { definitions }: ExaminedType,
  path: string,
  { body, request }: Received,
): Promise<void> {
  const read = await server.get(path)
  if (body.id === undefined) return
  const fields = fieldsOf(definitions).filter(({ attribute }) => attribute.returned !== 'request')
  const lines = differences(fields, read.body, body)
  expectNoDifferences(lines, `${request} to answer what GET returns`)
}

/** The path of a created resource. */
export function pathOf({ endpoint }: ExaminedType, response: Received): string {
  expectStatus(response, 201)
  const { id } = response.body
  expectThat(typeof id === 'string' && id !== '', 'an id that is a string', id)
  return `${endpoint}/${encodeURIComponent(String(id))}`
}

function hasValue(resource: JsonObject, field: Field): boolean {
  return readAttribute(resource, field) !== undefined
}

/** A resource with the text in each of the free texts. */
function withText(server: Server, type: ExaminedType, text: string): JsonObject {
  return freeTexts(server, type).reduce(
    (body, field) => writeAttribute(body, field, text),
    server.whole(type),
  )
}

/** The single texts that a client may choose and that do not have to be unique. */
function freeTexts(server: Server, type: ExaminedType): readonly Field[] {
  return readFields(server, type).filter(
    ({ parent, attribute }) =>
      parent === null &&
      attribute.type === 'string' &&
      !attribute.multiValued &&
      (attribute.canonicalValues ?? []).length === 0 &&
      !attribute.required &&
      isOpen(attribute) &&
      !isUnique(attribute) &&
      !VALIDATED.includes(attribute.name),
  )
}

/** Texts that a server may check against a list of its own (RFC 7643 §4.1.1), or that may be unique. */
const VALIDATED: readonly string[] = ['externalId', 'preferredLanguage', 'locale', 'timezone']

/** Whether the values of a list have a value and a type that a client may choose. */
export function isTyped({ attribute }: Field): boolean {
  return ['value', 'type'].every((name) => isOpen(partOf(attribute, name) ?? READ_ONLY))
}

const READ_ONLY: Attribute = { name: '', type: 'string', mutability: 'readOnly' }

function partOf({ subAttributes = [] }: Attribute, name: string): Attribute | undefined {
  return subAttributes.find((part) => part.name === name)
}

/** Two values with one type, one value with two types, and five values. */
function severalValues({ attribute }: Field): readonly (readonly object[])[] {
  const [value = attribute, type = attribute] = ['value', 'type'].map((name) =>
    partOf(attribute, name),
  )
  const element = (kind: number, seed: number): object => ({
    value: sampleValue(value, { number: 60 + seed, seed }, attribute),
    type: kindOf(type, kind),
  })
  const ofTwoTypes = kindOf(type, 0) !== kindOf(type, 1)
  return [
    [element(0, 1), element(0, 2)],
    ...(ofTwoTypes ? [[element(0, 3), element(1, 3)]] : []),
    [4, 5, 6, 7, 8].map((seed) => element(seed, seed)),
  ]
}

/** Texts that a statement or a driver could change. */
const TEXTS: readonly string[] = [
  `O'Brien"; drop table users; --`,
  String.raw`100% _ \ \n %41 \u0041`,
  ' two  spaces ',
  'Zoë Zoe\u0308 \u0301e ß ﬁ Ж 日本',
  '👩‍👩‍👧 🏳️‍🌈',
  '{"json":[1]}',
  '<b>&amp;</b>',
  'null',
  'line\nbreak\r\n\ttab',
]

/** Texts that are longer than the usual columns. */
const LONG_TEXTS: readonly string[] = [100, 300, 1_000].map((length) =>
  'abcdefghijklmnopqrst'.repeat(length / 20),
)

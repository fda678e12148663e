import { isJsonObject, own } from '../../json.ts'
import { type Field, isChangeable, isReadable, isUnique } from '../attributes.ts'
import { type StoreCheck, some } from '../check.ts'
import { idOf } from '../client.ts'
import { comparedFields, differences, textOf, UNASSIGNED } from '../differences.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import type { Served } from '../world.ts'
import { withImmutable } from './values.ts'

/** Creating and replacing whole resources. */
export const WRITE_CHECKS: readonly StoreCheck[] = [
  {
    name: 'create: gives each resource an id of its own',
    section: 'RFC 7643 §3.1',
    advice: 'let the database generate the id, and return it from create.',
    async run({ types }) {
      for (const type of types) {
        const [first, second] = [await type.create('varied', 1), await type.create('varied', 2)]
        const { answer } = second
        const id = own(answer.body, 'id')
        if (typeof id !== 'string' || id === '') mismatch(answer, 'an id that is a string')
        if (id === first.id) mismatch(answer, `another id than ${first.id} of the resource before`)
      }
    },
  },
  {
    name: 'create: keeps every attribute that the definitions declare',
    section: 'RFC 7644 §3.3',
    advice:
      'store the attribute, or remove it from the definitions with pickAttributes. A client relies on what /Schemas declares.',
    async run({ types }) {
      for (const type of types) {
        const { id, sent, answer } = await type.create('whole', 1)
        const read = await type.read(id)
        expectNone(
          answer,
          differences(type.definitions, sent, read),
          `GET returns what was sent to ${type.endpoint}`,
        )
      }
    },
  },
  {
    name: 'create: returns what read returns',
    section: 'RFC 7644 §3.3',
    advice: 'return from create what read returns for the new row.',
    async run({ types, send }) {
      for (const type of types) {
        const { path, answer } = await type.create('whole', 1)
        const read = await send('GET', path)
        expectStatus(read, 200, 'the resource was created')
        const lines = differences(type.definitions, answer.body, read.body)
        expectNone(read, lines, 'the body of the response to the POST')
      }
    },
  },
  {
    name: 'create: accepts a resource that has only the required attributes',
    section: 'RFC 7643 §2.2',
    advice: 'allow NULL in the columns of optional attributes, or declare them as required.',
    async run({ types }) {
      for (const type of types) {
        const { id, sent, answer } = await type.create('minimal', 1)
        const read = await type.read(id)
        const known = Object.fromEntries(Object.keys(sent).map((key) => [key, own(read, key)]))
        expectNone(answer, differences(type.definitions, sent, known), 'GET returns what was sent')
      }
    },
  },
  {
    name: 'create: keeps strings exactly as they were sent',
    section: 'RFC 7643 §2.3.1',
    advice:
      'send values as parameters of the statement, never in its text. Do not trim, escape or normalize them.',
    async run({ types, send }) {
      const free = types.filter((type) => plainStrings(type).length > 0)
      for (const type of some(free, 'no attribute is a free string')) {
        for (const [at, text] of STRANGE.entries()) {
          const body = await type.sample('whole', at + 1)
          for (const { container, attribute } of plainStrings(type)) {
            const holder = container === null ? body : own(body, container)
            if (isJsonObject(holder)) holder[attribute.name] = text
          }
          const answer = expectStatus(await send('POST', type.endpoint, body), 201)
          const read = await type.read(idOf(answer.body))
          expectNone(answer, differences(type.definitions, body, read), 'GET returns what was sent')
        }
      }
    },
  },
  {
    name: 'replace: keeps every attribute that the definitions declare',
    section: 'RFC 7644 §3.5.1',
    advice: 'write every column in replace, also those of extensions and of child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('minimal', 1)
        const sent = withImmutable(type, await type.sample('whole', 2), await type.read(id))
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const wanted = `GET ${path} returns what was sent`
        expectNone(answer, differences(type.definitions, sent, await type.read(id)), wanted)
        if (idOf(answer.body) !== id) mismatch(answer, `the id ${id}`)
      }
    },
  },
  {
    name: 'replace: returns what read returns',
    section: 'RFC 7644 §3.5.1',
    advice: 'return from replace what read returns for the row after the change.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('minimal', 1)
        const sent = withImmutable(type, await type.sample('whole', 2), await type.read(id))
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const { body } = await send('GET', path)
        const lines = differences(type.definitions, body, answer.body)
        expectNone(answer, lines, 'the body of the response to the GET after it')
      }
    },
  },
  {
    name: 'replace: clears what the request leaves out',
    section: 'RFC 7644 §3.5.1',
    advice: 'set the columns of missing attributes to NULL, and delete their rows in child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const byDefault = await type.defaults()
        const { id, path } = await type.create('whole', 2)
        const before = await type.read(id)
        const sent = withImmutable(type, await type.sample('minimal', 3), before)
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const after = await type.read(id)
        const lines = comparedFields(type.definitions).flatMap((field) => {
          const [old, kept] = [textOf(field, before), textOf(field, after)]
          // RFC 7644 §3.5.1 allows a default for a missing value.
          const isDefault = kept === UNASSIGNED || kept === textOf(field, byDefault)
          if (textOf(field, sent) !== UNASSIGNED || isDefault || kept !== old) return []
          return [`${field.path}: expected unassigned, came ${kept}`]
        })
        expectNone(answer, lines, 'the attributes that were not sent are unassigned')
      }
    },
  },
]

/** The single-valued strings that a client may choose freely and that do not have to be unique. */
function plainStrings({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) =>
      parent === null &&
      attribute.type === 'string' &&
      !attribute.multiValued &&
      !attribute.canonicalValues &&
      !attribute.required &&
      isChangeable(attribute) &&
      isReadable(attribute) &&
      !isUnique(attribute) &&
      !VALIDATED.has(attribute.name),
  )
}

/** Attributes that a store may check against a list of its own (RFC 7643 §4.1.1), or that may be unique. */
const VALIDATED: ReadonlySet<string> = new Set([
  'externalId',
  'preferredLanguage',
  'locale',
  'timezone',
])

/** Strings that a statement or a driver could change. */
const STRANGE: readonly string[] = [
  `O'Brien"; drop table users; --`,
  String.raw`100% _ \ \n %41 \u0041`,
  ' two  spaces ',
  'Zoë \u0301e ß ﬁ Ж 日本',
  '👩‍👩‍👧 🏳️‍🌈',
  '{"json":[1]}',
  '<b>&amp;</b>',
  'null',
]

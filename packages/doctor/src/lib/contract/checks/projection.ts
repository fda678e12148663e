import type { Field } from '../../model/fields.ts'
import { isReadable } from '../../model/types.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf, resourcesOf } from '../client.ts'
import { comparedFields, differences, textOf, UNASSIGNED } from '../differences.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import type { Served } from '../world.ts'
import { sortKeys } from './sort.ts'
import { query } from './values.ts'

const NEEDS = 'omit an attribute only if view.needs returns false for it.'

/** Requests for some of the attributes. */
export const PROJECTION_CHECKS: readonly StoreCheck[] = [
  {
    name: 'projection: returns each attribute that the client names',
    section: 'RFC 7644 §3.9',
    advice: NEEDS,
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('whole', 1)
        const whole = await type.read(id)
        for (const field of comparedFields(type.fields)) {
          const attributes = query({ attributes: namesOf(field, type) })
          const read = expectStatus(await send('GET', path + attributes), 200)
          requireOnly(type, field, read, whole, read.body)
          const list = expectStatus(await send('GET', type.endpoint + attributes), 200)
          const listed = resourcesOf(list).find((one) => idOf(one) === id) ?? {}
          requireOnly(type, field, list, whole, listed)
        }
      }
    },
  },
  {
    name: 'projection: returns all but the attributes that the client excludes',
    section: 'RFC 7644 §3.9',
    advice: NEEDS,
    async run({ types, send }) {
      for (const type of types) {
        const { path } = await type.create('whole', 1)
        const { body: whole } = await send('GET', path)
        for (const field of comparedFields(type.fields)) {
          if (field.attribute.returned === 'always') continue
          const read = await send('GET', path + query({ excludedAttributes: field.path }))
          expectStatus(read, 200)
          const lines = differences(type.fields, whole, read.body)
          const others = lines.filter((line) => !line.startsWith(`${field.path}: `))
          expectNone(read, others, `all attributes except ${field.path}`)
          if (textOf(field, read.body) !== UNASSIGNED) mismatch(read, `no ${field.path}`)
        }
      }
    },
  },
  {
    name: 'projection: filters and sorts by attributes that are not returned',
    section: 'RFC 7644 §3.9',
    advice: NEEDS,
    async run({ types, send }) {
      for (const type of types) {
        await type.fill(6)
        for (const { path } of sortKeys(type).slice(0, 12)) {
          const parameters = { filter: `${path} pr`, sortBy: path, count: 100 }
          const all = await send('GET', type.endpoint + query(parameters))
          const some = await send('GET', type.endpoint + query({ ...parameters, attributes: 'id' }))
          expectStatus(some, 200)
          const [wanted, found] = [all, some].map((list) => [...idsOf(list)].sort().join(', '))
          if (wanted !== found) mismatch(some, `the resources ${wanted}`)
        }
      }
    },
  },
  {
    name: 'projection: never returns an attribute that is written only',
    section: 'RFC 7643 §7',
    advice: 'remove the attribute from every resource that the store writes as JSON itself.',
    async run({ types, send }) {
      const hidden = types.flatMap((type) =>
        type.fields
          .filter(({ attribute, parent }) => parent === null && !isReadable(attribute))
          .map((field) => ({ type, field })),
      )
      const fields = some(hidden, 'every attribute is returned')
      for (const [at, { type, field }] of fields.entries()) {
        const { path, answer } = await type.create('whole', at + 1)
        const read = await send('GET', path)
        const named = await send('GET', path + query({ attributes: field.path }))
        for (const one of [answer, read, named]) {
          if (textOf(field, one.body) !== UNASSIGNED) mismatch(one, `no ${field.path}`)
        }
        const list = await send('GET', type.endpoint)
        for (const one of resourcesOf(list)) {
          if (textOf(field, one) !== UNASSIGNED) mismatch(list, `no ${field.path}`)
        }
      }
    },
  },
]

/** The attribute and its parts that are only returned if they are named (RFC 7643 §7). */
function namesOf({ path, attribute: whole }: Field, { fields }: Served): string {
  const parts = fields.filter(
    ({ parent, attribute }) => parent === whole && attribute.returned === 'request',
  )
  return [path, ...parts.map((part) => part.path)].join()
}

/** Throws unless the resource has the attribute as it is, and no other that is returned by default. */
function requireOnly(
  { fields }: Served,
  field: Field,
  answer: Answer,
  whole: object,
  resource: object,
): void {
  const [wanted, found] = [textOf(field, whole), textOf(field, resource)]
  if (wanted !== found) mismatch(answer, `${field.path} is ${wanted}`, found)
  for (const other of comparedFields(fields)) {
    const isOther = other.path !== field.path && other.attribute.returned !== 'always'
    if (isOther && textOf(other, resource) !== UNASSIGNED) mismatch(answer, `no ${other.path}`)
  }
}

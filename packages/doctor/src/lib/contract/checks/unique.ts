import { type Field, isChangeable, isUnique, readAttribute } from '../../model/fields.ts'
import { swapCase } from '../../model/generate.ts'
import { textOf } from '../../toolkit/differences.ts'
import { type StoreCheck, some } from '../check.ts'
import { idOf } from '../client.ts'
import { expectError, expectStatus, mismatch } from '../expectations.ts'
import type { Body, Served, World } from '../world.ts'
import { changed, patch, unfolded } from './values.ts'

const FOLDED =
  'keep the folded value in a column or an index of its own, such as a unique index on lower(user_name), and throw a ScimError(409, …, { scimType: "uniqueness" }) if it exists.'

/** Attributes whose values are unique (RFC 7643 §7). */
export const UNIQUE_CHECKS: readonly StoreCheck[] = [
  {
    name: 'unique: rejects a second create with the same value',
    section: 'RFC 7644 §3.3.1',
    advice:
      'throw a ScimError(409, …, { scimType: "uniqueness" }) from create if the value exists.',
    async run(world) {
      for (const { type, field, number } of uniqueFields(world)) {
        const { sent } = await type.create('whole', number)
        const value = readAttribute(sent, field)
        const second = withUnique(type, await type.sample('whole', number + 1), field, value)
        const reason = `a resource with this ${field.path} exists`
        expectError(await world.send('POST', type.endpoint, second), 409, 'uniqueness', reason)
      }
    },
  },
  {
    name: 'unique: rejects a second create with the same value in another letter case',
    section: 'RFC 7643 §7',
    advice: FOLDED,
    async run(world) {
      for (const { type, field, number } of unfoldedFields(world)) {
        const { sent } = await type.create('whole', number)
        const value = swapCase(String(readAttribute(sent, field)))
        const second = withUnique(type, await type.sample('whole', number + 1), field, value)
        const reason = `a resource with this ${field.path} exists, and its letter case does not matter`
        expectError(await world.send('POST', type.endpoint, second), 409, 'uniqueness', reason)
      }
    },
  },
  {
    name: 'unique: folds the letter case of all alphabets',
    section: 'RFC 7643 §7',
    advice: `${FOLDED} The lower() of SQLite folds ASCII only.`,
    async run(world) {
      for (const { type, field, number } of unfoldedFields(world)) {
        const sample = await type.sample('whole', number)
        const name = `josé.${String(readAttribute(sample, field))}`
        const first = withUnique(type, sample, field, name)
        const created = await world.send('POST', type.endpoint, first)
        // A store may only accept ASCII.
        if (created.status === 400) continue
        expectStatus(created, 201, 'the resource is valid')
        const next = await type.sample('whole', number + 1)
        const second = withUnique(type, next, field, name.toUpperCase())
        const reason = `a resource with this ${field.path} exists, and its letter case does not matter`
        expectError(await world.send('POST', type.endpoint, second), 409, 'uniqueness', reason)
      }
    },
  },
  {
    name: 'unique: rejects a change to the value of another resource',
    section: 'RFC 7644 §3.5',
    advice: 'check uniqueness in replace as in create.',
    async run(world) {
      for (const { type, field, number } of changeableFields(world)) {
        const { sent } = await type.create('whole', number)
        const second = await type.create('whole', number + 1)
        const { path, id } = second
        const before = await type.read(id)
        const value = readAttribute(sent, field)
        const reason = `another resource has this ${field.path}`
        const body = changed(second.sent, field, value)
        expectError(await world.send('PUT', path, body), 409, 'uniqueness', reason)
        const answer = await world.send(
          'PATCH',
          path,
          patch({ op: 'replace', path: field.path, value }),
        )
        expectError(answer, 409, 'uniqueness', reason)
        const after = await type.read(id)
        if (textOf(field, after) !== textOf(field, before)) {
          mismatch(answer, `${field.path} is as it was before`, textOf(field, after))
        }
      }
    },
  },
  {
    name: 'unique: accepts the value that the resource itself has, in another letter case',
    section: 'RFC 7644 §3.5.1',
    advice:
      'leave the row itself out of the check for uniqueness, and store the value as it was sent.',
    async run(world) {
      for (const { type, field, number } of changeableFields(world, unfoldedFields)) {
        const { path, sent, id } = await type.create('whole', number)
        const value = swapCase(String(readAttribute(sent, field)))
        const body = changed(sent, field, value)
        const answer = await world.send('PUT', path, body)
        expectStatus(answer, 200, `only the letter case of ${field.path} changes`)
        const after = readAttribute(await type.read(id), field)
        const wanted = readAttribute(type.settle(body, sent), field)
        if (after !== wanted) mismatch(answer, `${field.path} is ${wanted}`, String(after))
      }
    },
  },
  {
    name: 'unique: accepts the value of a deleted resource',
    section: 'RFC 7644 §3.6',
    advice: 'leave deleted rows out of the check for uniqueness.',
    async run(world) {
      for (const { type, number } of uniqueFields(world)) {
        const { path, sent } = await type.create('whole', number)
        expectStatus(await world.send('DELETE', path), 204)
        const again = await world.send('POST', type.endpoint, sent)
        expectStatus(again, 201, 'the resource with these values was deleted')
      }
    },
  },
  {
    name: 'unique: of creates at the same time, one succeeds',
    section: 'RFC 7644 §3.3.1',
    advice: 'let the database check it by a unique index. A query before the insert cannot.',
    async run(world) {
      for (const { type, field, number } of uniqueFields(world)) {
        const body = await type.sample('whole', number)
        const same = field.attribute.caseExact
          ? body
          : withUnique(type, body, field, swapCase(String(readAttribute(body, field))))
        const sends = [body, same, body, same].map((one) => world.send('POST', type.endpoint, one))
        const answers = await Promise.all(sends)
        for (const answer of answers) expectStatus(answer, [201, 409], 'the requests are valid')
        const created = answers.filter(({ status }) => status === 201)
        const [first] = answers
        if (created.length !== 1 && first) {
          mismatch(first, 'one 201 of four requests at the same time', createdIds(created))
        }
      }
    },
  },
]

/** Sets a unique attribute, and those that share its column, in a new resource. */
function withUnique(type: Served, resource: Body, field: Field, value: unknown): Body {
  return type.settle(changed(resource, field, value), null, field.path)
}

function createdIds(answers: readonly { readonly body: Body }[]): string {
  return `${answers.length} resources: ${answers.map(({ body }) => idOf(body)).join(', ')}`
}

interface UniqueField {
  readonly type: Served
  readonly field: Field
  /** The first generated resource's number, so that other fields get other values. */
  readonly number: number
}

function uniqueFields({ types }: World): readonly UniqueField[] {
  const fields = types.flatMap((type) =>
    type.fields
      .filter(
        ({ parent, attribute }) =>
          parent === null && isUnique(attribute) && attribute.name !== 'id',
      )
      .map((field, at) => ({ type, field, number: 1 + 10 * at })),
  )
  return some(fields, 'no attribute is unique')
}

function unfoldedFields(world: World): readonly UniqueField[] {
  const fields = uniqueFields(world).filter(({ field }) => unfolded(field.attribute))
  return some(fields, 'no attribute is unique without regard to letter case')
}

function changeableFields(
  world: World,
  select: (world: World) => readonly UniqueField[] = uniqueFields,
): readonly UniqueField[] {
  const fields = select(world).filter(({ field }) => isChangeable(field.attribute))
  return some(fields, 'no attribute that is unique can be changed')
}

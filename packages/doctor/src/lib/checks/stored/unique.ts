import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import {
  type Field,
  fieldsOf,
  isChangeable,
  isUnique,
  readAttribute,
  writeAttribute,
} from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import { textOf } from '../../toolkit/differences.ts'
import {
  expectEqual,
  expectError,
  expectStatus,
  expectTaken,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Created, Server } from '../../toolkit/server.ts'
import { swapCase } from '../../toolkit/swap-case.ts'
import { otherTypes } from '../declared/shelves.ts'

const RULE = {
  section: 'RFC 7643 §7',
  level: 'SHOULD',
  quote: 'The value SHOULD be unique within the context',
} as const
const FOLDED =
  'Keep the folded value in a column or an index of its own, such as a unique index on lower(user_name).'

/** Rules for unique attributes of each type (RFC 7643 §7). */
export const STORED_UNIQUE_CHECKS: readonly Check[] = [
  {
    id: 'stored.unique',
    ...RULE,
    title: 'A second resource with the value of an attribute that is unique is rejected with 409',
    needs: ['write'],
    advice: 'Answer 409 with the scimType uniqueness if the value exists. Use a unique index.',
    run: (server) =>
      forEachUnique(server, uniqueFields(server), async ({ type, created, field, value }) => {
        const second = another(server, { type, created, field }, value)
        expectError(await server.post(type.endpoint, second), 409, 'uniqueness')
      }),
  },
  {
    id: 'stored.unique-letter-case',
    ...RULE,
    title: 'A unique value that differs from another only in letter case is rejected with 409',
    needs: ['write', 'check:stored.unique'],
    advice: FOLDED,
    run: (server) =>
      forEachUnique(server, foldedFields(server), async ({ type, created, field, value }) => {
        const second = another(server, { type, created, field }, swapCase(String(value)))
        expectError(await server.post(type.endpoint, second), 409, 'uniqueness')
      }),
  },
  {
    id: 'stored.unique-alphabets',
    ...RULE,
    title: 'The letter case of a unique value is folded in all alphabets',
    needs: ['write', 'check:stored.unique-letter-case'],
    advice: `${FOLDED} The lower() of SQLite folds ASCII only.`,
    run: (server) =>
      forEachUnique(server, foldedFields(server), async ({ type, created, field }) => {
        const name = `josé.${readAttribute(server.whole(type), field)}`
        const first = another(server, { type, created, field }, name)
        const { status } = await server.post(type.endpoint, first)
        // A server may only accept ASCII.
        if (status !== 201) return
        const second = another(server, { type, created, field }, name.toUpperCase())
        expectError(await server.post(type.endpoint, second), 409, 'uniqueness')
      }),
  },
  {
    id: 'stored.unique-change',
    ...RULE,
    title:
      'A PUT or PATCH to the unique value of another resource is rejected, and changes nothing',
    needs: ['write', 'patch', 'check:stored.unique'],
    advice: 'Check uniqueness in PUT and PATCH as in POST.',
    run: (server) =>
      forEachUnique(server, changeable(uniqueFields(server)), async ({ type, field, value }) => {
        const { path, sent } = await server.createWhole(type)
        const before = await readResource(server, path)
        expectTaken(await server.put(path, writeAttribute(sent, field, value)))
        expectTaken(await server.modify(path, { op: 'replace', path: field.path, value }))
        const after = textOf(field, await readResource(server, path))
        expectEqual(after, textOf(field, before), `${field.path} of ${path}`)
      }),
  },
  {
    id: 'stored.unique-own',
    ...RULES.putReplaces,
    title: 'A PUT may change the letter case of the unique values of the resource itself',
    needs: ['write'],
    advice: 'Leave the resource itself out of the check, and store the value as it was sent.',
    run: (server) =>
      forEachUnique(
        server,
        changeable(foldedFields(server)),
        async ({ type, created, field, value }) => {
          const { path, sent } = created
          const body = writeAttribute(sent, field, swapCase(String(value)))
          expectStatus(await server.put(path, body), 200, 204)
          const wanted = textOf(field, server.settle(type, body, sent))
          const found = textOf(field, await readResource(server, path))
          if (server.isThorough) expectEqual(found, wanted, `${field.path} of ${path}`)
        },
      ),
  },
  {
    id: 'stored.unique-deleted',
    section: 'RFC 7644 §3.6',
    level: 'SHOULD',
    quote: 'deleted resource SHOULD NOT fail with a 409',
    title: 'A new resource may have the unique values of a deleted one, and has its own id',
    needs: ['write'],
    advice: 'Leave deleted resources out of the check for uniqueness, and insert a new row.',
    run: (server) =>
      forEachUnique(server, uniqueFields(server), async ({ type, created }) => {
        expectStatus(await server.delete(created.path), 200, 204)
        const response = await server.post(type.endpoint, created.sent)
        expectStatus(response, 201)
        const { id } = response.body
        expectThat(id !== created.id, 'another id than the one of the deleted resource', id)
      }),
  },
]

interface UniqueField {
  readonly type: ExaminedType
  readonly field: Field
}

/** A resource with a value for a unique attribute. */
interface Owner extends UniqueField {
  readonly created: Created
  readonly value: unknown
}

/** Creates a resource for each attribute. */
async function forEachUnique(
  server: Server,
  fields: readonly UniqueField[],
  examine: (owner: Owner) => Promise<void>,
): Promise<void> {
  for (const { type, field } of fields) {
    const created = await server.createWhole(type)
    const value = readAttribute(created.sent, field)
    if (value !== undefined) await examine({ type, field, created, value })
  }
}

/** Returns a resource that differs from the created one, with this value in the unique attribute. */
function another(
  server: Server,
  { type, field, created: { sent } }: Omit<Owner, 'value'>,
  value: unknown,
): JsonObject {
  const next = server.whole(type)
  // A server may have rejected a whole resource, and accepted a smaller one.
  const resource = server.isThorough
    ? next
    : uniqueIn(type).reduce(
        (body, one) => writeAttribute(body, one, readAttribute(next, one)),
        sent,
      )
  return server.settle(type, writeAttribute(resource, field, value), null, field.path)
}

function uniqueIn({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) => parent === null && isUnique(attribute) && attribute.name !== 'id',
  )
}

/** The unique attributes of each type. */
export function uniqueFields(server: Server): readonly UniqueField[] {
  const types = otherTypes(server, (type) => uniqueIn(type).length > 0)
  const fields = types.flatMap((type) => uniqueIn(type).map((field) => ({ type, field })))
  return fields.length === 0 ? skip('No resource type has an attribute that is unique.') : fields
}

/** Whether values are equal if only their letter case differs (RFC 7643 §2.2). */
export function isFolded({ attribute: { type, caseExact = false } }: Field): boolean {
  return (type === 'string' || type === 'reference') && !caseExact
}

function foldedFields(server: Server): readonly UniqueField[] {
  const fields = uniqueFields(server).filter(({ field }) => isFolded(field))
  return fields.length === 0
    ? skip('No attribute is unique without regard to letter case.')
    : fields
}

function changeable(fields: readonly UniqueField[]): readonly UniqueField[] {
  const found = fields.filter(({ field }) => isChangeable(field.attribute))
  return found.length === 0 ? skip('No attribute that is unique can be changed.') : found
}

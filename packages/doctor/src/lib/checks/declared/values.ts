import type { Check } from '../../check.ts'
import { isSameJson, type JsonObject, memberAt } from '../../json.ts'
import { type Field, fieldsOf, isChangeable } from '../../model/fields.ts'
import { type ExaminedType, isReadable, isWritable } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import { expectStatus, expectThat, show } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { modifyResource, readResource } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'
import { isDecided, listAll, MOST_TYPES } from './shelves.ts'

/** Rules for each value that a server stored. */
export const VALUE_CHECKS: readonly Check[] = [
  {
    id: 'declared.replace',
    ...RULES.patchReplaces,
    title: 'replace changes each single value that a schema declares, and that the server stored',
    needs: ['patch', 'write'],
    advice: 'Apply operations to every attribute of the schema, or declare it as read-only.',
    affects: { entra: 'Mapped attributes keep their first value.' },
    run: (server) =>
      forEachType(server, async ({ type, path, kept }) => {
        const next = server.whole(type)
        const fields = kept.filter((field) => {
          const value = memberAt(next, placeOf(field))
          return isFree(field) && value !== undefined && !isSameJson(value, field.value)
        })
        if (fields.length === 0) return
        const operations = fields.map((field) => ({
          op: 'replace',
          path: field.path,
          value: memberAt(next, placeOf(field)),
        }))
        const after = await modifyResource(server, path, ...operations)
        for (const field of fields) expectSame(after, field, memberAt(next, placeOf(field)))
      }),
  },
  {
    id: 'declared.remove',
    ...RULES.unassigned,
    title: 'remove deletes each optional value that a schema declares, and that the server stored',
    needs: ['patch', 'write'],
    advice: 'Delete the value of every optional attribute. Declare those that stay as required.',
    affects: { entra: 'Values that were deleted in the directory stay in the application.' },
    run: (server) =>
      forEachType(server, async ({ path, kept }) => {
        const fields = kept.filter((one) => isFree(one) && one.parent === null)
        if (fields.length === 0) return
        const operations = fields.map((field) => ({ op: 'remove', path: field.path }))
        const after = await modifyResource(server, path, ...operations)
        for (const field of fields) {
          const found = memberAt(after, placeOf(field))
          // A server may have a default, such as true for active.
          expectThat(!isSameJson(found, field.value), `${field.path} without its value`, found)
        }
      }),
  },
  {
    id: 'declared.attributes',
    ...RULES.projections,
    title: 'attributes returns each value that a schema declares if it is named',
    needs: ['write'],
    advice: 'Look up each named attribute in the schemas of the resource type.',
    run: (server) =>
      forEachType(server, async ({ type, id, path, kept }) => {
        for (const field of kept) {
          const query = { attributes: field.path }
          const response = await server.get(path, { query })
          expectStatus(response, 200)
          expectSame(response.body, field, field.value)
          if (!server.isThorough) continue
          const listed = (await listAll(server, type, query))?.find((one) => one.id === id)
          if (listed !== undefined) expectSame(listed, field, field.value)
        }
      }),
  },
  {
    id: 'declared.excluded',
    ...RULES.projections,
    title: 'excludedAttributes removes the value that is named, and no other',
    needs: ['write'],
    advice: 'Look up each named attribute in the schemas of the resource type.',
    run: (server) =>
      forEachType(server, async ({ path, kept }) => {
        const fields = kept.filter(
          (field) => field.attribute.returned !== 'always' && !isDecided(field),
        )
        for (const field of server.isThorough ? fields : fields.slice(0, 3)) {
          const response = await server.get(path, { query: { excludedAttributes: field.path } })
          expectStatus(response, 200)
          const found = memberAt(response.body, placeOf(field))
          expectThat(found === undefined, `a ${field.path} that is absent`, found)
          for (const other of kept) {
            if (other.path !== field.path) expectSame(response.body, other, other.value)
          }
        }
      }),
  },
]

/** A value the server stored as it was sent. */
interface Kept extends Field {
  readonly value: unknown
}

interface Whole {
  readonly type: ExaminedType
  readonly id: string
  readonly path: string
  readonly kept: readonly Kept[]
}

/** Creates a resource of each type with every attribute. The check is skipped if the server accepts none. */
async function forEachType(
  server: Server,
  examine: (whole: Whole) => Promise<void>,
): Promise<void> {
  const refused: string[] = []
  for (const type of server.types.slice(0, MOST_TYPES)) {
    const sent = server.whole(type)
    const created = await server.post(type.endpoint, sent)
    const { id } = created.body
    if (created.status !== 201 || typeof id !== 'string') {
      refused.push(`${type.name}: ${created.status} ${show(created.body.detail)}`)
      continue
    }
    const path = `${type.endpoint}/${encodeURIComponent(id)}`
    const stored = await readResource(server, path)
    // RFC 7644 §3.3: a server is free to ignore or alter what it is sent.
    const kept = fieldsToExamine(type).flatMap((field) => {
      const value = memberAt(sent, placeOf(field))
      const isKept = value !== undefined && isSameJson(memberAt(stored, placeOf(field)), value)
      return isKept ? [{ ...field, value }] : []
    })
    await examine({ type, id, path, kept })
  }
  if (refused.length === Math.min(server.types.length, MOST_TYPES)) {
    skip(`The server rejects resources with every attribute (${refused.join('; ')}).`)
  }
}

/** The single values, and those in a complex value. */
function fieldsToExamine({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ attribute, parent }) =>
      attribute.type !== 'complex' &&
      !attribute.multiValued &&
      parent?.multiValued !== true &&
      [attribute, parent].every(
        (one) => one === null || (isWritable(one) && isReadable(one) && one.returned !== 'request'),
      ),
  )
}

/** The values that a client can change without a consequence for another rule. */
export function freeFields(type: ExaminedType): readonly Field[] {
  return fieldsToExamine(type).filter(isFree)
}

/** Whether a value can be changed and removed without a consequence for another rule. */
function isFree({ attribute, parent }: Field): boolean {
  return (
    [attribute, parent].every(
      (one) =>
        one === null ||
        (isChangeable(one) && one.required !== true && (one.uniqueness ?? 'none') === 'none'),
    ) && !KEPT.includes(attribute.name)
  )
}

/** The names of the members that lead to a value. */
export function placeOf({ container, parent, attribute }: Field): readonly string[] {
  const names = parent === null ? [attribute.name] : [parent.name, attribute.name]
  return container === null ? names : [container, ...names]
}

function expectSame(resource: JsonObject, field: Field, value: unknown): void {
  const found = memberAt(resource, placeOf(field))
  expectThat(isSameJson(found, value), `${field.path} to be ${show(value)}`, found)
}

/** The client's identifier, and what a server decides about. */
const KEPT: readonly string[] = ['externalId', 'active', 'userName']

import type { Check } from '../../check.ts'
import type { Received } from '../../http/exchange.ts'
import { type JsonObject, memberAt, withAt } from '../../json.ts'
import { fieldsOf } from '../../model/fields.ts'
import type { ExaminedType } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import { differences } from '../../toolkit/differences.ts'
import {
  expectEqual,
  expectNoDifferences,
  expectRejection,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Created, Server } from '../../toolkit/server.ts'
import { spareText } from '../../toolkit/spare.ts'
import { freeFields, placeOf } from '../stored/wholes.ts'
import { forEachOther, forEachShelf, type Shelf } from './shelves.ts'

/** Rules for the versions and dates of each type's resources. */
export const DECLARED_VERSION_CHECKS: readonly Check[] = [
  {
    id: 'declared.versions',
    section: 'RFC 9110 §8.8.3',
    level: 'defined',
    quote: 'provides the current entity tag for the selected',
    title: 'Each response with a resource has its current entity tag, which changes with it',
    needs: ['etag', 'write'],
    advice: 'Compute the tag from the stored version or content, in the same way for all methods.',
    run: (server) =>
      forEachOther(server, async ({ type }) => {
        const created = await server.createWhole(type)
        const { path, response } = created
        const before = await server.get(path)
        expectTag(response, before)
        expectTag(before, await server.get(path))
        const replaced = await replaceResource(server, type, created)
        const after = await server.get(path)
        expectTag(replaced, after)
        const tag = tagOf(after)
        expectThat(tag !== tagOf(before), `another entity tag of ${path} after a change`, tag)
      }),
  },
  {
    id: 'declared.version-attributes',
    section: 'RFC 7644 §3.14',
    level: 'practice',
    title: 'The entity tag changes with each attribute that a schema declares',
    needs: ['etag', 'patch', 'write'],
    advice: 'Compute the tag from all attributes, also those of extensions and of other tables.',
    run: (server) =>
      forEachOther(server, async ({ type }) => {
        const { path } = await server.createWhole(type)
        const next = server.whole(type)
        const fields = fieldsOf(type.definitions)
        let before = await server.get(path)
        for (const field of server.isThorough ? freeFields(type) : firstFields(type)) {
          const value = memberAt(next, placeOf(field))
          const { status } = await server.modify(path, { op: 'replace', path: field.path, value })
          if (status >= 400) continue
          const after = await server.get(path)
          if (differences(fields, before.body, after.body).length === 0) continue
          const what = `another entity tag of ${path} after a change of ${field.path}`
          expectThat(tagOf(after) !== tagOf(before), what, tagOf(after))
          before = after
        }
      }),
  },
  {
    id: 'declared.if-match',
    ...RULES.ifMatch,
    title: 'PUT and DELETE with If-Match of an older version are rejected, and change nothing',
    needs: ['etag', 'write'],
    advice: 'Compare If-Match with the stored version in the transaction that writes.',
    run: (server) =>
      forEachOther(server, async ({ type }) => {
        const created = await server.createWhole(type)
        const { path } = created
        const old = await server.get(path)
        const headers = { 'If-Match': tagOf(old) }
        await replaceResource(server, type, created, headers)
        const before = await readResource(server, path)
        const body = nextBody(server, type, created)
        expectRejection(await server.put(path, body, { headers }))
        const lines = differences(
          fieldsOf(type.definitions),
          before,
          await readResource(server, path),
        )
        expectNoDifferences(lines, `${path} as it was before the PUT`)
        expectRejection(await server.delete(path, { headers }))
      }),
  },
  {
    id: 'declared.dates',
    section: 'RFC 7643 §3.1',
    level: 'defined',
    quote: 'The most recent DateTime that the details of',
    title: 'A PUT keeps meta.created of each type, and meta.lastModified does not become earlier',
    needs: ['write'],
    advice: 'Set meta.lastModified at each change, and meta.created only once.',
    run: async (server) => {
      let compared = 0
      const examine = async ({ type }: Shelf): Promise<void> => {
        const resource = await server.createWhole(type)
        const { path } = resource
        const before = await readResource(server, path)
        const created = timeOf(before, 'created')
        if (Number.isNaN(created)) return
        const { body } = await replaceResource(server, type, resource)
        const replaced = memberAt(body, 'meta.created') === undefined ? [] : [body]
        for (const after of [...replaced, await readResource(server, path)]) {
          expectEqual(timeOf(after, 'created'), created, `meta.created of ${path}, as a number,`)
          const [first, later] = [before, after].map((one) => timeOf(one, 'lastModified'))
          const isEarlier = Number(later) < Number(first)
          expectThat(!isEarlier, `meta.lastModified of ${path} of at least ${first}`, later)
        }
        compared += 1
      }
      await forEachOther(server, examine)
      // Other types than users may not have dates.
      if (compared === 0) await forEachShelf(server, examine)
      if (compared === 0) skip('No resource type has meta.created.')
    },
  },
]

/** Replaces a resource with one that has other values. */
async function replaceResource(
  server: Server,
  type: ExaminedType,
  created: Created,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  const response = await server.put(created.path, nextBody(server, type, created), { headers })
  expectStatus(response, 200, 204)
  return response
}

/** Returns a body with other values in each attribute, or only in one a client may change freely. */
function nextBody(server: Server, type: ExaminedType, { sent }: Created): JsonObject {
  const spare = spareText(type)
  if (!server.isThorough && spare !== undefined) {
    return withAt(sent, { [spare]: server.unique() })
  }
  return withImmutable(fieldsOf(type.definitions), server.whole(type), sent)
}

/** The first free attribute in each schema. */
function firstFields(type: ExaminedType): ReturnType<typeof freeFields> {
  const fields = freeFields(type)
  return fields.filter(
    ({ container }, at) => fields.findIndex((one) => one.container === container) === at,
  )
}

/** Requires a response to have the same entity tag as a later one. A response to a write may omit it. */
function expectTag(response: Received, later: Received): void {
  const found = response.headers.get('ETag')
  if (found !== null) expectEqual(found, tagOf(later), `the entity tag of ${response.request}`)
}

function tagOf({ headers, body }: Received): string {
  const tag = headers.get('ETag') ?? memberAt(body, 'meta.version')
  return typeof tag === 'string' ? tag : skip('A response does not have an ETag.')
}

function timeOf(resource: unknown, name: string): number {
  return Date.parse(String(memberAt(resource, `meta.${name}`)))
}

/**
 * Growth: how much longer a function takes for four times the input. Linear work takes about 4 times as
 * long, quadratic work 16 times.
 */
import { defineOperation, parse, stringify } from '@plumbline/openapi'
import { issuesFrom } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { parseListQuery, parseUser, project, userResource, version } from '@plumbline/scim'
import { parseBulk } from '@plumbline/scim/bulk'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { z } from 'zod'
import { mask } from '../../apps/directory/src/features/log/mask.ts'
import { sensitivityOf } from '../../apps/directory/src/features/log/sensitive.ts'
import { extendTypes } from '../../apps/directory/src/features/scim/stored-types.ts'

/** Work whose size is a number; `prepare` is not timed. */
export interface Growth {
  readonly name: string
  readonly size: number
  readonly prepare: (size: number) => () => unknown
}

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
}
const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

const clauses = (count: number): string => times(count, (at) => `title eq "t${at}"`).join(' or ')
const patch = (Operations: readonly object[]) =>
  unwrap(parsePatch({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }))
const emails = (count: number) => times(count, (at) => ({ value: `u${at}@x.org`, type: 'work' }))
const members = (count: number) => times(count, (at) => ({ value: `m${at}` }))
const user = { schemas: [USER_DEFINITION.id], id: '1', userName: 'b' }
const group = { schemas: [GROUP_DEFINITION.id], id: '1', displayName: 'g' }
const upload = defineOperation(
  'upload',
  { method: 'POST', pattern: '/' },
  {
    summary: 'Upload',
    query: z.object({ tag: z.array(z.string()).optional() }),
    body: { 'application/x-www-form-urlencoded': z.object({ tag: z.array(z.int()).optional() }) },
    formFields: 100_000,
    responses: { 204: { description: 'Done' } },
  },
)

const limits = { values: 500, text: 1_000, bytes: 20_000 }
/** The sensitivity of a tenant with as many attributes that are never returned. */
const withSecrets = (count: number) => {
  const attributes = times(count, (at) => ({
    name: `zz${at}q`,
    type: 'string' as const,
    returned: 'never' as const,
  }))
  const definition = { id: 'urn:x:User', name: 'x', attributes }
  return sensitivityOf(extendTypes([{ resourceType: 'User', required: false, definition }]))
}

export const GROWTHS: readonly Growth[] = [
  growth('scim: parse and write a filter', 10_000, (size) => {
    const text = clauses(size)
    return () => stringifyFilter(unwrap(parseFilter(text)))
  }),
  growth('scim: reject an unclosed string of backslashes', 200_000, (size) => {
    const text = `a eq "${'\\'.repeat(size)}`
    return () => parseFilter(text)
  }),
  growth('scim: compile and run a filter', 5_000, (size) => {
    const tree = unwrap(parseFilter(clauses(size)))
    return () => unwrap(compileFilter(tree, { definitions }))({ ...user, title: 'none' })
  }),
  growth('scim: add addresses without a value', 1_000, (size) => {
    const value = times(size, (at) => ({ locality: `l${at}`, type: 'work' }))
    const operations = patch([{ op: 'add', path: 'addresses', value }])
    return () => applyPatch(user, operations, { definitions })
  }),
  growth('scim: add members one by one', 5_000, (size) => {
    const operations = patch(
      times(size, (at) => ({ op: 'add', path: 'members', value: [{ value: `n${at}` }] })),
    )
    const before = { ...group, members: members(size) }
    return () => unwrap(applyPatch(before, operations, { definitions: groups }))
  }),
  growth('scim: add members one by one, as JSON text', 5_000, (size) => {
    const operations = patch(
      times(size, (at) => ({ op: 'add', path: 'members', value: `[{"value":"n${at}"}]` })),
    )
    const before = { ...group, members: members(size) }
    return () => unwrap(applyPatch(before, operations, { definitions: groups }))
  }),
  growth('scim: remove members one by one', 5_000, (size) => {
    const operations = patch(
      times(size, (at) => ({ op: 'remove', path: `members[value eq "m${at}"]` })),
    )
    const before = { ...group, members: members(size) }
    return () => unwrap(applyPatch(before, operations, { definitions: groups }))
  }),
  growth('scim: parse, write and tag a user', 1_000, (size) => {
    const body = { ...user, emails: emails(size) }
    return () => version(userResource(unwrap(parseUser(body))))
  }),
  growth('scim: project a user', 1_000, (size) => {
    const query = unwrap(parseListQuery(new URL('http://h/Users?excludedAttributes=emails.type')))
    const whole = { ...user, emails: emails(size) }
    return () => project(whole, query, definitions)
  }),
  growth('scim: parse a bulk request', 5_000, (size) => {
    const Operations = times(size, (at) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${at}`,
      data: user,
    }))
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations }
    return () => unwrap(parseBulk(body, { maxOperations: size, maxPayloadSize: size * 1_000 }))
  }),
  growth('directory: mask a body, with secret names and text', 500, (size) => {
    const text = 'zz1 q '.repeat(80 * size)
    const sensitivity = withSecrets(size)
    const body = { title: text, note: JSON.stringify([text]), [text]: [text], filter: text }
    return () => mask(body, limits, sensitivity)
  }),
  growth('directory: mask a body, with parts of secrets', 20_000, (size) => {
    const parts = [
      'oauth.',
      'eyJ-',
      '0195f0e0-',
      'PiN',
      'token ',
      '"private" ',
      'pass"',
      '[pin eq ',
    ]
    const bodies = parts.map((part) => ({
      note: JSON.stringify([part.repeat(size)]),
      name: part.repeat(size),
    }))
    const sensitivity = withSecrets(1)
    return () => bodies.map((body) => mask(body, limits, sensitivity))
  }),
  growth('openapi: read a query and a form', 20_000, (size) => {
    const pairs = times(size, (at) => `tag=${at}`).join('&')
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return async () => {
      const request = new Request(`http://h/?${pairs}`, { method: 'POST', headers, body: pairs })
      return unwrap(await upload.parse(request, {}))
    }
  }),
  growth('openapi, problem: list the issues of a rejected form', 20_000, (size) => {
    const body = times(size, () => 'tag=x').join('&')
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return async () => {
      const request = new Request('http://h/', { method: 'POST', headers, body })
      const result = await upload.parse(request, {})
      if (!isFailure(result) || result.error.issues.length < size) throw new Error('few issues')
      JSON.stringify(issuesFrom(result.error))
    }
  }),
  growth('openapi: read and write a document as YAML', 500, (size) => {
    const paths = Object.fromEntries(
      times(size, (at) => [`/p${at}`, { get: { operationId: `o${at}` } }]),
    )
    const text = JSON.stringify({ openapi: '3.1.1', info: { title: 'T', version: '1' }, paths })
    return () => unwrap(parse(unwrap(stringify(unwrap(parse(text)), { format: 'yaml' }))))
  }),
]

/** Returns how many times as long four times the input takes, the best of five runs each. */
export async function measure({ size, prepare }: Growth): Promise<number> {
  const small = await fastest(prepare(size))
  const large = await fastest(prepare(4 * size))
  return large / small
}

async function fastest(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now()
    await work()
    best = Math.min(best, performance.now() - started)
  }
  return best
}

function growth(name: string, size: number, prepare: Growth['prepare']): Growth {
  return { name, size, prepare }
}

function times<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

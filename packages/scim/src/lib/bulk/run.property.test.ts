import { unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../constants.ts'
import { parseBulk } from './parse.ts'
import { runBulk } from './run.ts'
import { createStore } from './testing/store.ts'
import type { Execute } from './types.ts'

// Properties of RFC 7644 §3.7: with any references, in any order, the result is the same as if all ids were
// known before. Each operation gets a response, whatever fails.

const limits = { maxOperations: 100, maxPayloadSize: 1_000_000 }

/** For each of some groups, the numbers of its members. */
const graphs = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.array(fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: 4 }), {
    minLength: count,
    maxLength: count,
  }),
)

function requestOf(graph: readonly (readonly number[])[], failOnErrors: number | null) {
  const Operations = graph.map((members, at) => ({
    method: 'POST',
    path: '/Groups',
    bulkId: `${at}`,
    data: {
      displayName: `${at}`,
      members: members.map((member) => ({ value: `bulkId:${member}` })),
    },
  }))
  return unwrap(parseBulk({ schemas: [BULK_REQUEST_SCHEMA], failOnErrors, Operations }, limits))
}

it("every reference becomes the referenced resource's id, in any order and in cycles", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const store = createStore()
      const { Operations } = await runBulk(requestOf(graph, null), store.execute)
      expect(Operations.map(({ bulkId, status }) => [bulkId, status])).toEqual(
        graph.map((_, at) => [`${at}`, '201']),
      )
      for (const [at, members] of graph.entries()) {
        const stored = (store.named(`${at}`)?.members ?? []) as readonly { value: string }[]
        const names = stored.map(({ value }) => Number(store.resources.get(value)?.displayName))
        expect(names.sort()).toEqual([...members].sort())
      }
      // Without cycles, no reference is added later.
      const posts = store.calls.filter(({ method }) => method === 'POST')
      expect(posts).toHaveLength(graph.length)
      if (graph.every((members, at) => members.every((member) => member > at))) {
        expect(store.calls).toHaveLength(graph.length)
      }
    }),
    { numRuns: 500 },
  )
})

it("each operation's response is its outcome, whatever fails", async () => {
  const failing = fc.array(fc.nat({ max: 12 }), { maxLength: 4 })
  const failOnErrors = fc.option(fc.nat({ max: 4 }))
  await fc.assert(
    fc.asyncProperty(graphs, failing, failOnErrors, async (graph, failures, limit) => {
      const store = createStore()
      const execute: Execute = (call) =>
        failures.includes(store.calls.length)
          ? store.execute({ ...call, path: '/Groups/none', method: 'DELETE' })
          : store.execute(call)
      const { Operations } = await runBulk(requestOf(graph, limit), execute)
      const errors = Operations.filter(({ status }) => status !== '201')
      if (limit === null) expect(Operations).toHaveLength(graph.length)
      else if (Operations.length < graph.length) {
        expect(errors.length).toBeGreaterThanOrEqual(Math.max(1, limit))
      }
      for (const { status, bulkId, location, response } of Operations) {
        // A location means that the resource exists, and an error that a reference was not resolved.
        expect(store.named(bulkId ?? '') !== undefined).toBe(location !== undefined)
        if (status !== '201') {
          expect(response).toMatchObject({ status })
          continue
        }
        const members = graph[Number(bulkId)] ?? []
        expect(store.named(bulkId ?? '')?.members ?? []).toHaveLength(members.length)
      }
    }),
    { numRuns: 500 },
  )
})

it("a client's body never rejects, and member references are resolved before they are passed on", async () => {
  const text = fc.constantFrom('bulkId:a', 'bulkId:b', 'bulkId:', 'a', '')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom('value', '$ref', 'x'), tie('value')),
    ),
  }))
  const filter = text.map((id) => `members[value eq "${id}" and not (display eq "bulkId:a")].type`)
  const operations = fc.array(
    fc.record({ op: fc.constant('add'), path: fc.oneof(filter, fc.constant('members')), value }),
  )
  const operation = fc.record({
    method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
    path: fc.constantFrom('/Users', '/Users/bulkId:a', '/Groups/bulkId:%', '/Groups/1', '/Groups'),
    bulkId: fc.constantFrom('a', 'b', '%', undefined),
    data: fc.oneof(
      fc.dictionary(fc.constantFrom('members', 'urn:x:y', '$ref', '__proto__'), value),
      fc.record({ Operations: fc.oneof(operations, value) }),
    ),
  })
  const execute: Execute = async ({ method, path, data }) => {
    if (path.includes('bulkId:')) throw new Error('a reference is left in a path')
    const { members, Operations } = Object(data)
    if (path.startsWith('/Groups') && method !== 'PATCH') requireResolved(members)
    for (const patch of Array.isArray(Operations) && method === 'PATCH' ? Operations : []) {
      const { path: target, value: sent } = Object(patch)
      if (!path.startsWith('/Groups')) continue
      if (target === 'members') requireResolved(sent)
      else if (/^members.value eq "bulkId:/.test(target)) throw new Error(`left in ${target}`)
    }
    return { status: method === 'POST' ? 201 : 404, location: `${path}/1` }
  }
  let ran = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 4 }), async (Operations) => {
      const request = parseBulk({ schemas: [BULK_REQUEST_SCHEMA], Operations }, limits)
      if (request.status === 'failure') return
      ran += 1
      const response = await runBulk(request.data, execute)
      expect(response.Operations).toHaveLength(Operations.length)
    }),
    { numRuns: 500 },
  )
  expect(ran).toBeGreaterThan(100)
})

/** Throws if the `value` or the `$ref` of a member, or a member that is only a string, is a reference. */
function requireResolved(members: unknown): void {
  if (typeof members === 'string' && members.startsWith('bulkId:')) throw new Error('left')
  if (Array.isArray(members)) for (const member of members) requireResolved(member)
  else if (typeof members === 'object' && members !== null) {
    const { value, $ref } = members as Record<string, unknown>
    for (const part of [value, $ref]) {
      if (typeof part === 'string' && part.startsWith('bulkId:')) throw new Error('left')
    }
  }
}

import type { Check } from '../../check.ts'
import { expectAsRead, expectStored, pathOf } from '../../checks/stored/kept.ts'
import { isFolded, uniqueFields } from '../../checks/stored/unique.ts'
import { readWhole } from '../../checks/stored/wholes.ts'
import type { JsonObject } from '../../json.ts'
import { fieldsOf, readAttribute, writeAttribute } from '../../model/fields.ts'
import { differences } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { swapCase } from '../../toolkit/swap-case.ts'

const URGENT = { isUrgent: true }

/** Rules for simultaneous requests to resources of any type. */
export const RACE_CHECKS: readonly Check[] = [
  {
    id: 'races.create',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title: 'Of POST requests at the same time, each answers the resource that was sent',
    advice:
      'Take the id from the result of the insert, such as by returning or insertId. A second statement may read the id of another request.',
    run: async (server) => {
      for (const type of server.types) {
        const bodies = Array.from({ length: MANY }, () => server.whole(type))
        const answers = await Promise.all(
          bodies.map((body) => server.post(type.endpoint, body, URGENT)),
        )
        for (const [at, body] of bodies.entries()) {
          const answer = answers[at]
          if (answer === undefined) continue
          const path = pathOf(type, answer)
          await expectStored(server, type, path, body)
          await expectAsRead(server, type, path, answer)
        }
      }
    },
  },
  {
    id: 'races.unique',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title:
      'Of POST requests with one unique value at the same time, exactly one creates a resource',
    advice: 'Let the database check it by a unique index. A query before the insert cannot.',
    run: async (server) => {
      for (const { type, field } of uniqueFields(server)) {
        const body = server.whole(type)
        const value = readAttribute(body, field)
        if (value === undefined) continue
        const other = isFolded(field)
          ? server.settle(
              type,
              writeAttribute(body, field, swapCase(String(value))),
              null,
              field.path,
            )
          : body
        const answers = await Promise.all(
          [body, other, body, other].map((one) => server.post(type.endpoint, one, URGENT)),
        )
        for (const answer of answers) expectStatus(answer, 201, 409)
        const ids = answers.flatMap(({ status, body: { id } }) => (status === 201 ? [id] : []))
        expectThat(ids.length === 1, `one resource with this ${field.path}`, ids)
      }
    },
  },
  {
    id: 'races.versions',
    section: 'RFC 7644 §3.14',
    level: 'practice',
    title: 'Of PUT requests with one If-Match at the same time, exactly one is executed',
    advice:
      'Run the work of transaction in one transaction of the database, and lock the row in a read with isForUpdate. A database of one connection needs a queue.',
    run: async (server) => {
      for (const type of server.types) {
        const { path, response } = await server.createWhole(type)
        const current = await readWhole(server, type, path)
        const fields = fieldsOf(type.definitions)
        const bodies = [1, 2, 3].map(() => withImmutable(fields, server.whole(type), current))
        const tag = response.headers.get('ETag') ?? skip('A response does not have an ETag.')
        const options = { ...URGENT, headers: { 'If-Match': tag } }
        const answers = await Promise.all(bodies.map((body) => server.put(path, body, options)))
        for (const answer of answers) expectStatus(answer, 200, 412)
        const [executed, ...others] = answers.filter(({ status }) => status === 200)
        const statuses = answers.map(({ status }) => status)
        expectThat(others.length === 0, 'one response with 200', statuses)
        if (executed === undefined) continue
        const { body: after } = await server.get(path)
        const lines = differences(fields, executed.body, after)
        expectNoDifferences(lines, `${path} as the request with 200 left it`)
      }
    },
  },
  {
    id: 'races.others',
    section: 'RFC 7644 §3.5.1',
    level: 'practice',
    title: 'PUT requests for different resources at the same time are all stored',
    advice:
      'Write only the rows of the resource. A file or a document that has several resources needs a lock.',
    run: async (server) => {
      for (const type of server.types) {
        const fields = fieldsOf(type.definitions)
        const changes: { readonly path: string; readonly body: JsonObject }[] = []
        for (let at = 0; at < 5; at += 1) {
          const { path, sent } = await server.createWhole(type)
          changes.push({ path, body: withImmutable(fields, server.whole(type), sent) })
        }
        const answers = await Promise.all(
          changes.map(({ path, body }) => server.put(path, body, URGENT)),
        )
        for (const [at, { path }] of changes.entries()) {
          const answer = answers[at]
          if (answer === undefined) continue
          expectStatus(answer, 200, 204)
          await expectAsRead(server, type, path, answer)
        }
      }
    },
  },
]

/** How many resources are created at the same time. */
const MANY = 20

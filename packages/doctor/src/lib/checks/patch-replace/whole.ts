import type { Check } from '../../check.ts'
import { fieldsOf } from '../../model/fields.ts'
import { differences, textOf } from '../../toolkit/differences.ts'
import { expectNoDifferences, expectStatus, show } from '../../toolkit/expect.ts'
import { fail, skip } from '../../toolkit/finding.ts'
import { readResource } from '../../toolkit/patch.ts'
import {
  afterReplacements,
  createReplaceable,
  expectReplaced,
  replacements,
} from '../../toolkit/replaceable.ts'
import { findListFault, findTypeFault } from '../../toolkit/value-faults.ts'

const NEEDS = ['check:patch-replace.attribute'] as const

/** Rules for users with every attribute the server declares. */
export const PATCH_REPLACE_WHOLE_CHECKS: readonly Check[] = [
  {
    id: 'patch-replace.whole',
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'The "replace" operation replaces the value at the',
    title: 'A PATCH of a user stores each attribute that was sent, and that a schema declares',
    needs: NEEDS,
    advice: 'Apply each operation to the whole resource, and write every attribute of the result.',
    affects: { entra: 'Mapped attributes are never changed, although the request succeeds.' },
    run: async (server) => {
      const replaceable = await createReplaceable(server)
      const operations = replacements(replaceable)
      if (operations.length === 0) skip('The server stores the same values for two users.')
      const response = await server.modify(replaceable.path, ...operations)
      // A server may have rules beyond the schemas, and limit the number of operations.
      if (response.status === 400 || response.status === 409 || response.status === 413) {
        skip(`The server rejects the values of another user: ${show(response.body.detail)}.`)
      }
      expectStatus(response, 200, 204)
      await expectReplaced(server, afterReplacements(replaceable))
    },
  },
  {
    id: 'patch-replace.others',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'update one or more attributes of a SCIM',
    title: 'A PATCH of one attribute of a user keeps all other attributes',
    needs: NEEDS,
    advice:
      'Change the column of the attribute only, or read the whole resource before it is written.',
    affects: {
      entra: 'A change of one attribute removes others.',
      okta: 'A change of one attribute removes others.',
    },
    run: async (server) => {
      const { text } = server.words()
      const type = server.type('User')
      const { path } = await server.createWhole(type)
      const before = await readResource(server, path)
      const value = server.fit(text, 'Ada Changed')
      expectStatus(await server.modify(path, { op: 'replace', path: text, value }), 200, 204)
      const after = await readResource(server, path)
      const others = fieldsOf(type.definitions).filter(
        (field) =>
          field.path !== text &&
          !text.startsWith(`${field.path}.`) &&
          // A server may take an address from the userName.
          !(text === 'userName' && textOf(field, before).includes(String(before.userName))),
      )
      expectNoDifferences(differences(others, before, after), `${path} as it was before`)
    },
  },
  {
    id: 'patch-replace.answer',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'the entire resource within the response body, subject',
    title: 'The response to a PATCH is 204, or the user as GET returns it',
    needs: NEEDS,
    advice:
      'Read the resource after the change, and return it as GET does: with every attribute, and true and false as booleans.',
    affects: { entra: 'The response is compared with the directory, and differs each time.' },
    run: async (server) => {
      const { text } = server.words()
      const type = server.type('User')
      const { path } = await server.createWhole(type)
      const value = server.fit(text, 'Ada Answered')
      const response = await server.modify(path, { op: 'replace', path: text, value })
      expectStatus(response, 200, 204)
      const after = await readResource(server, path)
      if (response.status === 204) return
      const [fault, ofRead] = [response.body, after].map(
        (body) => findTypeFault(type, body) ?? findListFault(type, body),
      )
      if (fault && fault.path !== ofRead?.path)
        fail(`${response.request}: ${fault.path} as ${fault.declared}`, show(fault.value))
      const fields = fieldsOf(type.definitions)
      const lines = differences(fields, after, response.body)
      expectNoDifferences(lines, `${response.request} to answer what GET returns`)
    },
  },
]

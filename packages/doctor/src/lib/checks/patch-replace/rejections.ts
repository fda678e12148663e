import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectAbsent, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { expectUnmodified, readResource } from '../../toolkit/patch.ts'
import { immutableText } from '../../toolkit/spare.ts'

/** Rules for PATCH requests a server rejects. */
export const PATCH_REPLACE_REJECTION_CHECKS: readonly Check[] = [
  {
    id: 'patch-replace.read-only',
    section: 'RFC 7643 §7',
    level: 'MUST',
    quote: 'readOnly The attribute SHALL NOT be modified.',
    title: 'replace does not change a read-only attribute',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation names a read-only attribute.',
    run: async (server) => {
      const value = server.unique()
      const user = await server.create('User')
      await expectUnmodified(server, user, 'id', { op: 'replace', path: 'id', value })
    },
  },
  {
    id: 'patch-replace.read-only-meta',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'This attribute SHALL be ignored when provided by',
    title: 'replace does not change meta.created',
    needs: ['patch', 'check:create.user'],
    advice: 'Only the server sets meta: answer 400 mutability, or ignore the operation.',
    run: async (server) => {
      const user = await server.create('User')
      if (memberAt(user.body, 'meta.created') === undefined)
        skip('The server does not set meta.created.')
      const operation = { op: 'replace', path: 'meta.created', value: '2001-01-01T00:00:00Z' }
      await expectUnmodified(server, user, 'meta.created', operation)
    },
  },
  {
    id: 'patch-replace.immutable',
    section: 'RFC 7643 §7',
    level: 'MUST',
    quote: 'The attribute SHALL NOT be updated.',
    title: 'replace does not change an immutable attribute that has a value',
    needs: ['patch', 'check:create.user', 'check:replace.immutable'],
    advice: 'Answer 400 mutability if the new value of an immutable attribute differs.',
    run: async (server) => {
      const found = server.types.flatMap((type) => {
        const attribute = immutableText(type)
        return attribute === undefined ? [] : [{ type, attribute }]
      })
      const [first] = found
      if (first === undefined) return skip('No schema has an immutable text.')
      const { name } = first.attribute
      const resource = await server.create(first.type.name, { [name]: server.unique() })
      const operation = { op: 'replace', path: name, value: server.unique() }
      await expectUnmodified(server, resource, name, operation)
    },
  },
  {
    id: 'patch-replace.required',
    ...RULES.userName,
    title: 'replace does not clear userName, which every user has',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 if the new value of a required attribute is null or empty.',
    run: async (server) => {
      const user = await server.create('User')
      const operation = { op: 'replace', path: 'userName', value: '' }
      await expectUnmodified(server, user, 'userName', operation)
    },
  },
  {
    id: 'patch-replace.missing-value',
    ...RULES.statusCodes,
    title: 'replace without a value is rejected, and changes nothing',
    needs: ['patch', 'check:create.user', 'User:optional'],
    advice: 'Answer 400 invalidValue or invalidSyntax if a replace operation lacks a value.',
    run: async (server) => {
      const { optional } = server.words()
      const { path } = await server.create('User', server.set({ [optional]: 'Engineer' }))
      expectStatus(await server.modify(path, { op: 'replace', path: optional }), 400)
      expectMember(await readResource(server, path), optional, 'Engineer')
    },
  },
  {
    id: 'patch-replace.invalid-path',
    ...RULES.statusCodes,
    title: 'A path that is not valid is rejected',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 invalidPath if the path does not follow the grammar.',
    run: async (server) => {
      const { path } = await server.create('User')
      const operation = { op: 'replace', path: 'emails[type eq "work"', value: 'x' }
      expectStatus(await server.modify(path, operation), 400)
    },
  },
  {
    id: 'patch-replace.unknown-attribute',
    section: 'RFC 7644 §3.5.2',
    level: 'practice',
    title: 'An attribute that no schema declares is rejected or ignored, but not stored',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 invalidPath, or ignore the operation as POST ignores such attributes.',
    run: async (server) => {
      const { path } = await server.create('User')
      const operation = { op: 'replace', path: 'shoeSize', value: '43' }
      expectStatus(await server.modify(path, operation), 200, 204, 400)
      expectAbsent(await readResource(server, path), 'shoeSize')
    },
  },
  {
    id: 'patch-replace.invalid-value',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: "attribute's mutability or schema SHALL return the appropriate",
    title: 'A value of another type than the attribute is rejected',
    needs: ['patch', 'check:create.user', 'User.active'],
    advice: 'Answer 400 invalidValue if the value does not have the type of the attribute.',
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      const operation = { op: 'replace', path: 'active', value: 'sometimes' }
      expectStatus(await server.modify(path, operation), 400)
      expectMember(await readResource(server, path), 'active', true)
    },
  },
  {
    id: 'patch-replace.unknown-op',
    ...RULES.statusCodes,
    title: 'An op other than add, remove and replace is rejected',
    needs: ['patch', 'check:create.user', 'User:text'],
    advice: 'Answer 400 invalidSyntax, and do not guess the operation.',
    run: async (server) => {
      const { path } = await server.create('User')
      const { text } = server.words()
      const operation = { op: 'merge', path: text, value: server.fit(text, 'Grace Sample') }
      expectStatus(await server.modify(path, operation), 400)
    },
  },
  {
    id: 'patch-replace.no-operations',
    ...RULES.statusCodes,
    title: 'A PATCH request without Operations is rejected',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 invalidSyntax if the body does not have the list Operations.',
    run: async ({ create, patch }) => {
      const { path } = await create('User')
      expectStatus(await patch(path, { schemas: [PATCH_OP_SCHEMA] }), 400)
    },
  },
]

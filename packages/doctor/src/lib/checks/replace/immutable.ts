import type { Check } from '../../check.ts'
import { expectError, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'

/** Rules for immutable attributes in a PUT request. */
export const REPLACE_IMMUTABLE_CHECKS: readonly Check[] = [
  {
    id: 'replace.immutable',
    section: 'RFC 7643 §7',
    level: 'MUST',
    quote: 'The attribute SHALL NOT be updated.',
    title: 'A PUT does not change an immutable attribute that has a value',
    needs: ['write'],
    advice: 'Compare the immutable attributes of the body with the stored ones, and reject others.',
    run: async (server) => {
      const { typeName, name } = findImmutable(server)
      const { path, sent } = await server.create(typeName, { [name]: 'first' })
      await server.put(path, { ...sent, [name]: 'second' })
      expectMember(await server.get(path), [name], 'first')
    },
  },
  {
    id: 'replace.immutable-error',
    section: 'RFC 7644 §3.5.1',
    level: 'SHOULD',
    quote: 'HTTP status code 400 SHOULD be returned with',
    title: 'A PUT with another value of an immutable attribute answers 400 mutability',
    needs: ['check:replace.immutable'],
    advice: 'Answer 400 with scimType mutability, so that the client notices.',
    run: async (server) => {
      const { typeName, name } = findImmutable(server)
      const { path, sent } = await server.create(typeName, { [name]: 'first' })
      expectError(await server.put(path, { ...sent, [name]: 'second' }), 400, 'mutability')
    },
  },
  {
    id: 'replace.immutable-same',
    section: 'RFC 7644 §3.5.1',
    level: 'MUST',
    quote: 'the new value(s) SHALL be applied.',
    title: 'A PUT may repeat the value of an immutable attribute, or set the first one',
    needs: ['write'],
    advice: 'Reject an immutable attribute only if its stored value differs.',
    run: async (server) => {
      const { typeName, name } = findImmutable(server)
      const { path, sent } = await server.create(typeName, { [name]: undefined })
      for (const _ of ['set', 'repeat']) {
        const response = await server.put(path, { ...sent, [name]: 'first' })
        expectStatus(response, 200)
        expectMember(response, [name], 'first')
      }
    },
  },
]

/** Finds an immutable string in any type. */
function findImmutable({ types }: Server): { readonly typeName: string; readonly name: string } {
  for (const { name: typeName, schema, definitions } of types) {
    for (const attribute of definitions[schema]?.attributes ?? []) {
      const { name, type, mutability, multiValued, canonicalValues = [] } = attribute
      const isPlain = type === 'string' && multiValued !== true && canonicalValues.length === 0
      if (mutability === 'immutable' && isPlain) return { typeName, name }
    }
  }
  return skip('No string is declared as immutable.')
}

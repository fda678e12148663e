import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import type { Received } from '../../http/exchange.ts'
import { type JsonObject, stringsOf } from '../../json.ts'
import { INTEROP_CLIENTS } from '../../profiles.ts'
import { expectOperation, failingOperation, runBulk } from '../../toolkit/bulk.ts'
import { expectEqual, expectError, expectList } from '../../toolkit/expect.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Operation, Server } from '../../toolkit/server.ts'

const RULE = {
  section: 'interop-01 §5.3',
  level: 'MUST',
  profiles: INTEROP_CLIENTS,
  advice:
    'Compare the members of each body with the schemas of the resource type, and answer 400 invalidSyntax for the others.',
} as const

const UNKNOWN_SCHEMA = 'urn:example:params:scim:schemas:unknown:2.0:User'

/** Attributes and schemas the resource type does not define are rejected, and nothing is stored. */
export const INTEROP_UNKNOWN_CHECKS: readonly Check[] = [
  rejectsCreation('unknown-attribute', 'an unknown attribute', 'User', (user, unknown) => ({
    ...user,
    [unknown]: 'red',
  })),
  rejectsCreation(
    'unknown-sub-attribute',
    'an unknown sub-attribute',
    'User',
    (user, unknown) => ({ ...user, name: { ...Object(user.name), [unknown]: 'red' } }),
    ['User.name.givenName'],
  ),
  rejectsCreation('unknown-schema', 'an unknown URN in schemas', 'User', (user) => ({
    ...user,
    schemas: [...stringsOf(user.schemas), UNKNOWN_SCHEMA],
  })),
  rejectsCreation('unknown-extension', 'an extension of an unknown URN', 'User', (user) => ({
    ...user,
    schemas: [...stringsOf(user.schemas), UNKNOWN_SCHEMA],
    [UNKNOWN_SCHEMA]: { color: 'red' },
  })),
  rejectsCreation(
    'unknown-extension-attribute',
    'an unknown attribute of the Enterprise User',
    'User',
    (user, unknown) => ({
      ...user,
      schemas: [...stringsOf(user.schemas), ENTERPRISE_USER_SCHEMA],
      [ENTERPRISE_USER_SCHEMA]: { [unknown]: 'red' },
    }),
    ['enterprise'],
  ),
  rejectsCreation(
    'other-extension',
    'the Enterprise User, which groups do not have',
    'Group',
    (group) => ({ ...group, schemas: [...stringsOf(group.schemas), ENTERPRISE_USER_SCHEMA] }),
    ['groups', 'enterprise'],
  ),
  {
    ...RULE,
    id: 'interop.unknown-in-put',
    title: 'A PUT with an unknown attribute is rejected with invalidSyntax and changes nothing',
    needs: ['check:replace.user'],
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const before = await readResource(server, path)
      const put = { ...sent, [unknownOf(server)]: 'red' }
      expectError(await server.put(path, put), 400, 'invalidSyntax')
      expectEqual(await readResource(server, path), before, 'the user after the request')
    },
  },
  rejectsPatch('unknown-patch-path', 'an unknown path', (unknown) => ({
    op: 'replace',
    path: unknown,
    value: 'red',
  })),
  rejectsPatch('unknown-patch-schema', 'a path with an unknown URN', (unknown) => ({
    op: 'add',
    path: `${UNKNOWN_SCHEMA}:${unknown}`,
    value: 'red',
  })),
  rejectsPatch('unknown-patch-member', 'an unknown sub-attribute in its value', (unknown) => ({
    op: 'add',
    path: 'name',
    value: { givenName: 'Eve', [unknown]: 'red' },
  })),
  {
    ...RULE,
    id: 'interop.unknown-in-bulk',
    title: 'A bulk operation with an unknown attribute has the status 400 and invalidSyntax',
    needs: ['bulk', 'check:bulk.create'],
    run: async (server) => {
      const data = server.sample('User', { [unknownOf(server)]: 'red' })
      const path = server.type('User').endpoint
      const operations = await runBulk(server, [
        { method: 'POST', path, bulkId: 'a', data },
        failingOperation(server),
      ])
      const { response } = expectOperation(operations, 0, 400)
      expectEqual(Object(response).scimType, 'invalidSyntax', 'the scimType of the operation')
    },
  },
]

/** Creates the check for a new resource: it is rejected, and not stored. */
function rejectsCreation(
  name: string,
  what: string,
  type: 'User' | 'Group',
  change: (sample: JsonObject, unknown: string) => JsonObject,
  needs: NonNullable<Check['needs']> = [],
): Check {
  const created = type === 'User' ? 'check:create.user' : 'check:groups.members'
  return {
    ...RULE,
    id: `interop.${name}`,
    title: `A new ${type.toLowerCase()} with ${what} is rejected with invalidSyntax, and not stored`,
    needs: [...needs, created],
    run: async (server) => {
      const sample = server.sample(type)
      const { endpoint } = server.type(type)
      const response = await server.post(endpoint, change(sample, unknownOf(server)))
      expectError(response, 400, 'invalidSyntax')
      const stored = expectList(await find(server, type, sample))
      expectEqual(stored.length, 0, 'the number of stored resources')
    },
  }
}

/**
 * Creates the check for a PATCH: it is rejected whole, and a good operation before the bad one does not change the
 * user.
 */
function rejectsPatch(
  name: string,
  what: string,
  operation: (unknown: string) => Operation,
): Check {
  return {
    ...RULE,
    id: `interop.${name}`,
    title: `A PATCH with ${what} is rejected with invalidSyntax and changes nothing`,
    needs: ['patch', 'User.name.givenName', 'check:patch-replace.attribute'],
    run: (server) => expectRejected(server, operation(unknownOf(server))),
  }
}

/** Requires the server to reject an operation after a good one, and to leave the user unchanged. */
export async function expectRejected(server: Server, operation: Operation): Promise<void> {
  const { path } = await server.create('User')
  const before = await readResource(server, path)
  const good = { op: 'replace', path: 'active', value: false }
  expectError(await server.modify(path, good, operation), 400, 'invalidSyntax')
  expectEqual(await readResource(server, path), before, 'the user after the request')
}

function find(server: Server, type: 'User' | 'Group', sample: JsonObject): Promise<Received> {
  const name = type === 'User' ? 'userName' : 'displayName'
  const filter = `${name} eq ${JSON.stringify(sample[name])}`
  return server.get(server.type(type).endpoint, { query: { filter } })
}

/** Returns an attribute name no schema defines. */
function unknownOf({ unique }: Pick<Server, 'unique'>): string {
  return `x${unique().replaceAll(/[^a-z0-9]/gi, '')}`
}

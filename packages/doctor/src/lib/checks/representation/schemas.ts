import {
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  LIST_RESPONSE_SCHEMA,
  USER_SCHEMA,
} from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, stringsOf } from '../../json.ts'
import { expectEqual, expectMember, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'

/** Rules for the member `schemas` of a resource. */
export const REPRESENTATION_SCHEMA_CHECKS: readonly Check[] = [
  {
    id: 'representation.schemas',
    section: 'RFC 7643 §3.3',
    level: 'MUST',
    quote: 'which SHALL be the base schema for the',
    title: 'The schemas of a user list the schema of its resource type',
    needs: ['check:create.user'],
    advice: 'Return schemas with the core URN in every representation.',
    run: async (server) => {
      const schemas = await readSchemasOf(server)
      const { schema } = server.type('User')
      expectThat(stringsOf(schemas).includes(schema), `schemas with ${schema}`, schemas)
    },
  },
  {
    id: 'representation.list-schemas',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'Responses MUST be identified using the following URI',
    title: 'Each list has the schema ListResponse',
    needs: ['users', 'check:discovery.resource-types'],
    advice: `Set schemas to ${LIST_RESPONSE_SCHEMA} in each response that has Resources.`,
    affects: { okta: 'Clients with types reject the list, and the import of users fails.' },
    run: async ({ documents: { resourceTypes, schemas }, types, get }) => {
      const lists = [resourceTypes, schemas]
      for (const { endpoint } of types) lists.push(await get(endpoint, { query: { count: 1 } }))
      for (const list of lists) {
        if (list.status === 200) expectMember(list, 'schemas', [LIST_RESPONSE_SCHEMA])
      }
    },
  },
  {
    id: 'representation.schemas-known',
    section: 'RFC 7643 §3',
    level: 'MUST',
    quote: 'MUST only contain values defined as "schema" and',
    title: 'The schemas of a user are the schema and extensions of its resource type',
    needs: ['check:representation.schemas'],
    advice: 'Return only URNs that the resource type declares, or declare the extension there.',
    run: async (server) => {
      const { schema, extensions } = server.type('User')
      const known = [schema, ...extensions.map((one) => one.schema)]
      for (const urn of stringsOf(await readSchemasOf(server))) {
        expectThat(known.includes(urn), `only schemas of ${known.join(', ')}`, urn)
      }
    },
  },
  {
    id: 'representation.schemas-unique',
    section: 'RFC 7643 §3',
    level: 'MUST',
    quote: 'Duplicate values MUST NOT be included.',
    title: 'The schemas of a user do not contain duplicates',
    needs: ['check:representation.schemas'],
    advice: 'Collect the URNs in a set before they are written.',
    run: async (server) => {
      const schemas = stringsOf(await readSchemasOf(server))
      expectEqual(schemas, [...new Set(schemas)], 'schemas without duplicates')
    },
  },
  {
    id: 'representation.schemas-extension',
    section: 'RFC 7643 §3',
    level: 'MUST',
    quote: 'MUST include a non-empty array with value(s) of',
    title: 'The schemas of a user list each extension that has values',
    needs: ['enterprise', 'check:representation.schemas'],
    advice: 'Add the URN of an extension to schemas if the resource has attributes of it.',
    affects: { entra: 'Attributes of the extension are regarded as absent.' },
    run: async ({ people, get }) => {
      const { body } = await get((await people()).ada.path)
      if (body[ENTERPRISE_USER_SCHEMA] === undefined) skip('The extension was not returned.')
      const { schemas } = body
      const isListed = stringsOf(schemas).includes(ENTERPRISE_USER_SCHEMA)
      expectThat(isListed, `schemas with ${ENTERPRISE_USER_SCHEMA}`, schemas)
    },
  },
  {
    id: 'representation.custom-type',
    section: 'RFC 7644 §3.3.1',
    level: 'MUST',
    quote: 'SHALL be set by the HTTP service provider',
    title: 'A resource of a type of the server has its schema and its resourceType',
    needs: ['custom', 'write'],
    advice: 'Take schemas and meta.resourceType from the resource type, not from the one of users.',
    run: async ({ types, create, get }) => {
      const custom = types.find(({ schema }) => !USUAL.includes(schema)) ?? skip('Not found.')
      const response = await get((await create(custom.name)).path)
      expectStatus(response, 200)
      const schemas = expectMember(response, 'schemas')
      const isListed = stringsOf(schemas).includes(custom.schema)
      expectThat(isListed, `schemas with ${custom.schema}`, schemas)
      expectMember(response, 'meta.resourceType', custom.name)
    },
  },
]

async function readSchemasOf({ people, get }: Server): Promise<unknown> {
  const response = await get((await people()).ada.path)
  expectStatus(response, 200)
  return memberAt(response.body, 'schemas')
}

const USUAL: readonly string[] = [USER_SCHEMA, GROUP_SCHEMA]

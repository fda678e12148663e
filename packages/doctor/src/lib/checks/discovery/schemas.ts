import { USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { type JsonObject, objectsOf } from '../../json.ts'
import { MUTABILITY, RETURNED, TYPES, UNIQUENESS } from '../../model/read-schemas.ts'
import { RULES } from '../../rules.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'

/** Rules for the schemas. */
export const DISCOVERY_SCHEMA_CHECKS: readonly Check[] = [
  {
    id: 'discovery.schemas',
    section: 'RFC 7644 §4',
    level: 'MUST',
    quote: 'SHALL return all supported schemas in ListResponse format',
    title: 'GET /Schemas answers a list response with a schema',
    advice: 'Serve all schemas at /Schemas as a ListResponse, not as a bare array.',
    run: async ({ documents: { schemas } }) => {
      const found = expectList(schemas)
      expectThat(found.length > 0, 'at least one schema', found)
    },
  },
  {
    id: 'discovery.schemas-total',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'where multiple pages are available. REQUIRED.',
    title: 'totalResults of /Schemas is the number of the schemas',
    needs: ['check:discovery.schemas'],
    advice: 'Set totalResults to the number of elements of Resources.',
    run: async ({ documents: { schemas } }) => {
      expectMember(schemas, 'totalResults', objectsOf(schemas.body.Resources).length)
    },
  },
  {
    id: 'discovery.schemas-complete',
    section: 'RFC 7643 §6',
    level: 'MUST',
    quote: 'This MUST be equal to the "id" attribute',
    title: '/Schemas has every schema and extension that a resource type names',
    needs: ['check:discovery.schemas', 'check:discovery.resource-types'],
    advice: 'Add the schema to /Schemas, or correct its URN in the resource type.',
    run: async ({ documents: { schemas, resourceTypes } }) => {
      const ids = objectsOf(schemas.body.Resources).map(({ id }) => id)
      for (const { schema, schemaExtensions } of objectsOf(resourceTypes.body.Resources)) {
        for (const urn of [schema, ...objectsOf(schemaExtensions).map((one) => one.schema)]) {
          if (typeof urn !== 'string') continue
          expectThat(ids.includes(urn), `the schema ${urn}`, ids)
        }
      }
    },
  },
  {
    id: 'discovery.schemas-meta',
    section: 'RFC 7643 §8.7.1',
    level: 'practice',
    title: 'The meta of each schema has the type Schema and a location',
    needs: ['check:discovery.schemas'],
    advice: 'Set meta.resourceType to Schema, and meta.location to the URL of the schema.',
    run: async ({ documents: { schemas } }) => {
      for (const schema of objectsOf(schemas.body.Resources)) {
        expectMember(schema, 'meta.resourceType', 'Schema')
        expectMember(schema, 'meta.location')
      }
    },
  },
  {
    id: 'discovery.schema-by-urn',
    section: 'RFC 7644 §4',
    level: 'defined',
    quote: 'can be returned by appending the schema URI',
    title: 'GET /Schemas/{urn} answers the document that the list has',
    needs: ['check:discovery.schemas'],
    advice: 'Serve each schema at /Schemas/{id} as well.',
    run: async ({ documents: { schemas }, get }) => {
      for (const schema of objectsOf(schemas.body.Resources)) {
        const one = await get(`/Schemas/${String(schema.id)}`)
        expectStatus(one, 200)
        expectEqual(one.body, schema, 'the document of one schema')
      }
    },
  },
  {
    id: 'discovery.schema-unknown',
    ...RULES.statusCodes,
    title: 'GET of a schema that does not exist answers 404',
    needs: ['check:discovery.schemas'],
    advice: 'Answer 404 with an error document for unknown schemas.',
    run: async ({ get, unique }) => {
      expectError(await get(`/Schemas/urn:ietf:params:scim:schemas:${unique()}`), 404)
    },
  },
  {
    id: 'discovery.schemas-no-filter',
    section: 'RFC 7644 §4',
    level: 'SHOULD',
    quote: 'the service provider SHOULD respond with HTTP status',
    title: 'A filter of /Schemas is rejected with 403',
    needs: ['check:discovery.schemas'],
    advice: 'Answer 403 to a filter, so that clients do not assume that it was applied.',
    run: async ({ get }) => {
      expectError(await get('/Schemas', { query: { filter: 'name eq "User"' } }), 403)
    },
  },
  {
    id: 'discovery.attribute-types',
    section: 'RFC 7643 §2.3',
    level: 'SHOULD',
    quote: 'SCIM extensions SHOULD NOT introduce new data types',
    title: 'Each attribute has a name and one of the data types of the standard',
    needs: ['check:discovery.schemas'],
    advice: 'Use string, boolean, decimal, integer, dateTime, binary, reference or complex.',
    run: async (server) => {
      for (const { path, attribute } of attributesOf(server)) {
        const isKnown = TYPES.some((type) => type === attribute.type)
        expectThat(isKnown, `a data type of ${path}`, attribute.type)
      }
    },
  },
  {
    id: 'discovery.attribute-characteristics',
    section: 'RFC 7643 §7',
    level: 'defined',
    quote: 'Valid keywords are as follows',
    title: 'mutability, returned and uniqueness have values of the standard',
    needs: ['check:discovery.schemas'],
    advice: 'Letter case matters: write readWrite, writeOnly, readOnly and immutable.',
    run: async (server) => {
      for (const { path, attribute } of attributesOf(server)) {
        for (const [name, values] of Object.entries(CHARACTERISTICS)) {
          const { [name]: value } = attribute
          const isKnown = value === undefined || values.some((one) => one === value)
          expectThat(isKnown, `${name} of ${path} as one of ${values.join(', ')}`, value)
        }
      }
    },
  },
  {
    id: 'discovery.complex-attributes',
    section: 'RFC 7643 §7',
    level: 'SHOULD',
    quote: 'there SHOULD be a corresponding schema attribute "subAttributes"',
    title: 'Each complex attribute has sub-attributes',
    needs: ['check:discovery.attribute-types'],
    advice: 'List the sub-attributes in subAttributes: clients build their mappings from them.',
    run: async (server) => {
      for (const { path, attribute } of attributesOf(server)) {
        if (attribute.type !== 'complex') continue
        const { subAttributes } = attribute
        expectThat(objectsOf(subAttributes).length > 0, `subAttributes of ${path}`, subAttributes)
      }
    },
  },
  {
    id: 'discovery.user-name',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'This attribute is REQUIRED and is case insensitive.',
    title: 'The schema of users declares userName as required and unique',
    needs: ['check:discovery.schemas', 'users'],
    advice: 'Set required to true and uniqueness to server for userName.',
    run: async (server) => {
      const userName = attributesOf(server).find(({ path }) => path === `${USER_SCHEMA}:userName`)
      if (userName === undefined) return skip('The schema of users does not declare userName.')
      expectMember(userName.attribute, 'required', true)
      const { uniqueness } = userName.attribute
      expectThat(/^(server|global)$/.test(String(uniqueness)), 'uniqueness of userName', uniqueness)
    },
  },
  {
    id: 'discovery.password',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'MUST NOT be returned by a service provider',
    title: 'The schema of users declares that the password is never returned',
    needs: ['check:discovery.schemas', 'users'],
    advice: 'Set mutability to writeOnly and returned to never for password.',
    run: async (server) => {
      const password = attributesOf(server).find(({ path }) => path === `${USER_SCHEMA}:password`)
      if (password === undefined) return skip('The schema of users does not declare password.')
      expectMember(password.attribute, 'mutability', 'writeOnly')
      expectMember(password.attribute, 'returned', 'never')
    },
  },
]

interface Declared {
  readonly path: string
  readonly attribute: JsonObject
}

/** The attributes and sub-attributes of all schemas, as the server describes them. */
function attributesOf({ documents: { schemas } }: Server): readonly Declared[] {
  return objectsOf(schemas.body.Resources).flatMap(({ id, attributes }) =>
    objectsOf(attributes).flatMap((attribute) => {
      const path = `${id}:${attribute.name}`
      const parts = objectsOf(attribute.subAttributes)
      return [
        { path, attribute },
        ...parts.map((part) => ({ path: `${path}.${part.name}`, attribute: part })),
      ]
    }),
  )
}

const CHARACTERISTICS: Readonly<Record<string, readonly string[]>> = {
  mutability: MUTABILITY,
  returned: RETURNED,
  uniqueness: UNIQUENESS,
}

import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { RULES } from '../../rules.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'

/** Rules for the resource types. */
export const DISCOVERY_RESOURCE_TYPE_CHECKS: readonly Check[] = [
  {
    id: 'discovery.resource-types',
    section: 'RFC 7644 §4',
    level: 'MUST',
    quote: '(ListResponse) form SHALL be used as shown',
    title: 'GET /ResourceTypes answers a list response with a resource type',
    advice: 'Serve all resource types at /ResourceTypes as a ListResponse, not as a bare array.',
    run: async ({ documents: { resourceTypes } }) => {
      const found = expectList(resourceTypes)
      expectThat(found.length > 0, 'at least one resource type', found)
    },
  },
  {
    id: 'discovery.resource-types-total',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'where multiple pages are available. REQUIRED.',
    title: 'totalResults of /ResourceTypes is the number of the resource types',
    needs: ['check:discovery.resource-types'],
    advice: 'Set totalResults to the number of elements of Resources.',
    run: async ({ documents: { resourceTypes } }) => {
      expectMember(resourceTypes, 'totalResults', objectsOf(resourceTypes.body.Resources).length)
    },
  },
  {
    id: 'discovery.resource-types-required',
    section: 'RFC 7643 §6',
    level: 'MUST',
    quote: 'of the service provider, e.g., "Users". REQUIRED.',
    title: 'Each resource type has a name, an endpoint and a schema',
    needs: ['check:discovery.resource-types'],
    advice: 'Add the missing member; endpoint is a path below the base URL, such as /Users.',
    run: async ({ documents: { resourceTypes } }) => {
      for (const type of objectsOf(resourceTypes.body.Resources)) {
        for (const name of ['name', 'endpoint', 'schema']) expectMember(type, name)
      }
    },
  },
  {
    id: 'discovery.resource-types-meta',
    section: 'RFC 7643 §8.6',
    level: 'practice',
    title: 'The meta of each resource type has the type ResourceType and a location',
    needs: ['check:discovery.resource-types'],
    advice: 'Set meta.resourceType to ResourceType, and meta.location to the URL of the document.',
    run: async ({ documents: { resourceTypes } }) => {
      for (const type of objectsOf(resourceTypes.body.Resources)) {
        expectMember(type, 'meta.resourceType', 'ResourceType')
        expectMember(type, 'meta.location')
      }
    },
  },
  {
    id: 'discovery.resource-type-by-name',
    section: 'RFC 7644 §4',
    level: 'defined',
    quote: 'the single JSON object is returned',
    title: 'GET /ResourceTypes/{name} answers the document that the list has',
    needs: ['check:discovery.resource-types-required'],
    advice: 'Serve each resource type at /ResourceTypes/{id} as well.',
    run: async ({ documents: { resourceTypes }, get }) => {
      for (const type of objectsOf(resourceTypes.body.Resources)) {
        const one = await get(`/ResourceTypes/${encodeURIComponent(String(type.id ?? type.name))}`)
        expectStatus(one, 200)
        expectEqual(one.body, type, 'the document of one resource type')
      }
    },
  },
  {
    id: 'discovery.resource-type-unknown',
    ...RULES.statusCodes,
    title: 'GET of a resource type that does not exist answers 404',
    needs: ['check:discovery.resource-types'],
    advice: 'Answer 404 with an error document for unknown resource types.',
    run: async ({ get, unique }) => expectError(await get(`/ResourceTypes/${unique()}`), 404),
  },
  {
    id: 'discovery.resource-types-no-filter',
    section: 'RFC 7644 §4',
    level: 'SHOULD',
    quote: 'the service provider SHOULD respond with HTTP status',
    title: 'A filter of /ResourceTypes is rejected with 403',
    needs: ['check:discovery.resource-types'],
    advice: 'Answer 403 to a filter, so that clients do not assume that it was applied.',
    run: async ({ get }) => {
      expectError(await get('/ResourceTypes', { query: { filter: 'name eq "User"' } }), 403)
    },
  },
  {
    id: 'discovery.resource-types-endpoint',
    section: 'RFC 7643 §6',
    level: 'MUST',
    quote: 'of the service provider, e.g., "Users". REQUIRED.',
    title: 'Each resource type is served at its endpoint',
    needs: ['check:discovery.resource-types-required'],
    advice: 'Correct the endpoint of the resource type, or serve it: clients build URLs from it.',
    run: async ({ documents: { resourceTypes }, get }) => {
      for (const { endpoint } of objectsOf(resourceTypes.body.Resources)) {
        const path = `/${String(endpoint).replace(/^\//, '')}`
        const { status } = await get(path, { query: { count: 1 } })
        // A list without a filter may be forbidden, or have too many results. It must not be missing.
        expectThat(
          ![404, 405, 501].includes(status) && status < 500,
          `a resource type at ${path}`,
          status,
        )
      }
    },
  },
]

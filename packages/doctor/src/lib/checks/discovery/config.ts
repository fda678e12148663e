import type { Check } from '../../check.ts'
import { isJsonObject, memberAt, objectsOf } from '../../json.ts'
import { expectMember, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'

/** Rules for the ServiceProviderConfig. */
export const DISCOVERY_CONFIG_CHECKS: readonly Check[] = [
  {
    id: 'discovery.config',
    section: 'RFC 7644 §4',
    level: 'MUST',
    quote: 'This endpoint SHALL return responses with a JSON',
    title: 'GET /ServiceProviderConfig answers the document of the features',
    advice: 'Serve the document of RFC 7643 §5 at /ServiceProviderConfig with its schema URN.',
    affects: { okta: 'The features of the application are not detected.' },
    run: async ({ documents: { config } }) => {
      expectStatus(config, 200)
      expectMember(config, 'schemas', [
        'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
      ])
    },
  },
  {
    id: 'discovery.config-features',
    section: 'RFC 7643 §5',
    level: 'MUST',
    quote: 'whether or not the operation is supported. REQUIRED.',
    title: 'The ServiceProviderConfig says for each feature whether it is supported',
    needs: ['check:discovery.config'],
    advice: 'Add the missing feature with a boolean member supported, also if it is false.',
    run: async ({ documents: { config } }) => {
      for (const feature of ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag']) {
        const supported = expectMember(config, `${feature}.supported`)
        expectThat(typeof supported === 'boolean', `${feature}.supported as a boolean`, supported)
      }
    },
  },
  {
    id: 'discovery.config-bulk',
    section: 'RFC 7643 §5',
    level: 'MUST',
    quote: 'specifying the maximum number of operations. REQUIRED.',
    title:
      'The ServiceProviderConfig has the limits of bulk requests, also if they are not supported',
    needs: ['check:discovery.config'],
    advice:
      'Set bulk.maxOperations and bulk.maxPayloadSize to integers, also without bulk requests.',
    run: async ({ documents: { config } }) => {
      for (const limit of ['maxOperations', 'maxPayloadSize']) {
        const value = expectMember(config, `bulk.${limit}`)
        const isInteger = Number.isInteger(value) && Number(value) >= 0
        expectThat(isInteger, `bulk.${limit} as an integer`, value)
      }
    },
  },
  {
    id: 'discovery.config-filter',
    section: 'RFC 7643 §5',
    level: 'MUST',
    quote: 'resources returned in a response. REQUIRED.',
    title: 'The ServiceProviderConfig has the maximum number of results of a filter',
    needs: ['check:discovery.config', 'filter'],
    advice: 'Set filter.maxResults to a positive integer.',
    run: async ({ documents: { config } }) => {
      const value = expectMember(config, 'filter.maxResults')
      expectThat(isPositiveInteger(value), 'filter.maxResults as a positive integer', value)
    },
  },
  {
    id: 'discovery.config-authentication',
    section: 'RFC 7643 §5',
    level: 'MUST',
    quote: 'publicly accessible without prior authentication. REQUIRED.',
    title: 'Each authentication scheme has a type, a name and a description',
    needs: ['check:discovery.config'],
    advice: 'List the schemes in authenticationSchemes, each with type, name and description.',
    run: async ({ documents: { config } }) => {
      const schemes = expectMember(config, 'authenticationSchemes')
      expectThat(Array.isArray(schemes), 'authenticationSchemes as a list', schemes)
      for (const scheme of objectsOf(schemes)) {
        for (const name of ['type', 'name', 'description']) expectMember(scheme, name)
      }
    },
  },
  {
    id: 'discovery.config-authentication-type',
    section: 'RFC 7643 §5',
    level: 'practice',
    title: 'The types of the authentication schemes are those of the standard',
    needs: ['check:discovery.config-authentication'],
    advice: 'Use oauthbearertoken for bearer tokens, httpbasic for basic authentication.',
    run: async ({ documents: { config } }) => {
      for (const { type } of objectsOf(memberAt(config.body, 'authenticationSchemes'))) {
        expectThat(SCHEMES.includes(String(type)), `one of the types ${SCHEMES.join(', ')}`, type)
      }
    },
  },
  {
    id: 'discovery.config-pagination',
    section: 'RFC 9865 §4',
    level: 'MUST',
    quote: 'specifying support of cursor-based pagination. REQUIRED.',
    title: 'The pagination member says whether pages by cursor and by index are supported',
    needs: ['check:discovery.config'],
    advice: 'Set pagination.cursor and pagination.index to booleans, and the sizes to integers.',
    run: async ({ documents: { config } }) => {
      const pagination = memberAt(config.body, 'pagination')
      if (!isJsonObject(pagination)) skip('The ServiceProviderConfig does not have pagination.')
      for (const method of ['cursor', 'index']) {
        const value = expectMember(config, `pagination.${method}`)
        expectThat(typeof value === 'boolean', `pagination.${method} as a boolean`, value)
      }
      for (const size of ['defaultPageSize', 'maxPageSize', 'cursorTimeout']) {
        const { [size]: value } = pagination
        expectThat(
          value === undefined || isPositiveInteger(value),
          `pagination.${size} as a positive integer`,
          value,
        )
      }
    },
  },
  {
    id: 'discovery.config-meta',
    section: 'RFC 7643 §8.5',
    level: 'practice',
    title: 'The meta of the ServiceProviderConfig has its type and its location',
    needs: ['check:discovery.config'],
    advice: 'Set meta.resourceType to ServiceProviderConfig, and meta.location to the URL.',
    run: async ({ documents: { config } }) => {
      expectMember(config, 'meta.resourceType', 'ServiceProviderConfig')
      const location = expectMember(config, 'meta.location')
      expectThat(/\/ServiceProviderConfig$/.test(String(location)), 'its own location', location)
    },
  },
]

function isPositiveInteger(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0
}

const SCHEMES = ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest']

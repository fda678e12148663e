import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import {
  expectEqual,
  expectHeader,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { resolveReference } from '../../toolkit/locations.ts'
import { isDateTime } from '../../toolkit/value-faults.ts'

const DATES = ['created', 'lastModified'] as const

/** Rules for a resource's id and meta, and for the headers with the same values. */
export const REPRESENTATION_META_CHECKS: readonly Check[] = [
  {
    id: 'representation.id',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'It MUST be a stable, non-reassignable identifier that',
    title: 'The id of a user does not contain bulkId, and stays the same after a change',
    needs: ['check:create.user', 'User.userName'],
    advice: 'Return the same id in every response, also after the user was renamed.',
    affects: { entra: 'A user whose id changes is created a second time.' },
    run: async ({ create, put, unique }) => {
      const { id, path, sent } = await create('User')
      expectThat(!id.includes('bulkId'), 'an id without the reserved text bulkId', id)
      const response = await put(path, { ...sent, userName: `${unique()}@example.com` })
      expectStatus(response, 200)
      expectMember(response, 'id', id)
    },
  },
  {
    id: 'representation.meta-type',
    section: 'RFC 7644 §3.3.1',
    level: 'MUST',
    quote: 'SHALL be set by the HTTP service provider',
    title: 'meta.resourceType of a user is the name of its resource type',
    needs: ['check:create.user'],
    advice: 'Set meta.resourceType to the name that /ResourceTypes has, in the same letter case.',
    run: async ({ people, get, type }) => {
      expectMember(await get((await people()).ada.path), 'meta.resourceType', type('User').name)
    },
  },
  {
    id: 'representation.meta-dates',
    section: 'RFC 7643 §2.3.5',
    level: 'MUST',
    quote: 'MUST be encoded as a valid xsd:dateTime as',
    title: 'meta.created and meta.lastModified are dates with a time, if they are present',
    needs: ['check:create.user'],
    advice: 'Write them like 2026-01-31T12:00:00Z: not as numbers, and with a T before the time.',
    run: async ({ people, get }) => {
      const { body } = await get((await people()).ada.path)
      const dates = DATES.map((name) => ({ name, value: memberAt(body, `meta.${name}`) }))
      const present = dates.filter(({ value }) => value !== undefined)
      if (present.length === 0)
        skip('The server does not return meta.created and meta.lastModified.')
      for (const { name, value } of present) {
        expectThat(isDateTime(value), `meta.${name} as an xsd:dateTime`, value)
      }
    },
  },
  {
    id: 'representation.meta-dates-present',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'MUST be assigned values by the service provider',
    title: 'A user has meta.created and meta.lastModified',
    needs: ['check:create.user'],
    advice: 'Store when a resource was created and changed, and return both times.',
    run: async ({ people, get }) => {
      const response = await get((await people()).ada.path)
      for (const name of DATES) expectMember(response, `meta.${name}`)
    },
  },
  {
    id: 'representation.meta-initial',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'MUST be the same as the value of',
    title: 'meta.lastModified of a new user equals meta.created',
    needs: ['check:representation.meta-dates', 'check:representation.meta-dates-present'],
    advice: 'Set both to the same clock value when the resource is created.',
    run: async ({ create }) => {
      const { body } = await create('User')
      const [created, modified] = DATES.map((name) =>
        Date.parse(String(memberAt(body, `meta.${name}`))),
      )
      expectEqual(modified, created, 'meta.lastModified, as a number,')
    },
  },
  {
    id: 'representation.meta-location',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'MUST be assigned values by the service provider',
    title: 'meta.location is the URL at which the user is read',
    needs: ['check:create.user'],
    advice: 'Build the location from the public base URL, the endpoint and the id.',
    run: async (server) => {
      const { ada } = await server.people()
      const location = expectMember(await server.get(ada.path), 'meta.location')
      const url = resolveReference(server, location)
      if (url === null) return expectThat(false, 'a URL in meta.location', location)
      const response = await server.get(url)
      expectStatus(response, 200)
      expectMember(response, 'id', ada.id)
    },
  },
  {
    id: 'representation.list-locations',
    section: 'RFC 7643 §3.1',
    level: 'defined',
    quote: 'location The URI of the resource being returned.',
    title: 'Each user in a list has its own meta.location',
    needs: ['check:representation.meta-location'],
    advice: 'Build the location of each resource in Resources from its own id.',
    affects: { okta: 'Changes are sent to another user.' },
    run: async (server) => {
      const { ada } = await server.people()
      const { endpoint } = server.type('User')
      const users = expectList(await server.get(endpoint, { query: { count: 20 } }))
      const locations = users.flatMap((user) => {
        const url = resolveReference(server, memberAt(user, 'meta.location'))
        return url === null ? [] : [{ id: String(user.id), url }]
      })
      if (locations.length === 0) skip('The server does not return meta.location in lists.')
      const read = memberAt((await server.get(ada.path)).body, 'meta.location')
      // A resource's URL may have another form than its endpoint and its id.
      const isUsual = isOwn({ id: ada.id, url: resolveReference(server, read) ?? '' })
      for (const one of locations) {
        const isTwin = locations.some(({ id, url }) => url === one.url && id !== one.id)
        const isWrong = isTwin || (isUsual && !isOwn(one))
        expectThat(!isWrong, `meta.location of the user ${one.id} in a list to be its URL`, one.url)
      }
    },
  },
  {
    id: 'representation.location-header',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'SHALL include, in the HTTP "Location" header and',
    title: 'The response to a POST has its meta.location in the header Location',
    needs: ['check:create.user'],
    advice: 'Set Location of the 201 to the same URL as meta.location.',
    run: async (server) => {
      const { response } = await server.create('User')
      const header = resolveReference(server, expectHeader(response, 'Location'))
      const member = resolveReference(server, expectMember(response, 'meta.location'))
      expectEqual(header, member, 'the header Location')
    },
  },
  {
    id: 'representation.etag-header',
    section: 'RFC 7644 §3.14',
    level: 'MUST',
    quote: 'SCIM ETags MUST be specified as an HTTP',
    title: 'The entity tag of a user is in the header ETag, in quotes',
    needs: ['etag', 'check:create.user'],
    advice: 'Set ETag like W/"7" or "7", or advertise etag.supported as false.',
    run: async ({ people, get }) => {
      expectHeader(await get((await people()).ada.path), 'ETag', /^(W\/)?"[^"]*"$/)
    },
  },
  {
    id: 'representation.etag-version',
    section: 'RFC 7643 §3.1',
    level: 'defined',
    quote: 'same as the entity-tag (ETag) HTTP response header',
    title: 'meta.version equals the header ETag',
    needs: ['check:representation.etag-header'],
    advice: 'Write the entity tag with its quotes and its W/ into meta.version.',
    run: async ({ people, get }) => {
      const response = await get((await people()).ada.path)
      const version = memberAt(response.body, 'meta.version')
      if (version === undefined) skip('meta does not have a version.')
      expectEqual(version, response.headers.get('ETag'), 'meta.version')
    },
  },
]

/** Whether a URL ends with the resource's id. */
function isOwn({ id, url }: { readonly id: string; readonly url: string }): boolean {
  return url.endsWith(`/${encodeURIComponent(id)}`)
}

import type { Check } from '../../check.ts'
import { expectHeader, expectMember, expectStatus } from '../../toolkit/expect.ts'

/** Rules for the media type of responses. */
export const REPRESENTATION_FORMAT_CHECKS: readonly Check[] = [
  {
    id: 'representation.media-type',
    section: 'RFC 7644 §3.8',
    level: 'MUST',
    quote: 'Service providers MUST support the "Accept" header',
    title: 'A response to Accept: application/scim+json has this media type',
    needs: ['check:create.user'],
    advice: 'Set Content-Type to application/scim+json; a charset parameter may follow.',
    run: async ({ people, get }) => {
      const response = await get((await people()).ada.path)
      expectHeader(response, 'Content-Type', /^application\/scim\+json\s*(;|$)/i)
    },
  },
  {
    id: 'representation.accept-json',
    section: 'RFC 7644 §3.8',
    level: 'SHOULD',
    quote: 'SHOULD support the header "Accept: application/json"',
    title: 'A request with Accept: application/json is answered with JSON',
    needs: ['check:create.user'],
    advice: 'Serve application/json as well: generic HTTP clients ask for it.',
    run: async ({ people, get }) => {
      const { ada } = await people()
      const response = await get(ada.path, { headers: { Accept: 'application/json' } })
      expectStatus(response, 200)
      expectMember(response, 'id', ada.id)
    },
  },
  {
    id: 'representation.accept-any',
    section: 'RFC 7644 §3.8',
    level: 'defined',
    quote: '"application/scim+json" if no format is specified',
    title: 'A request that accepts every media type is answered with JSON',
    needs: ['check:create.user'],
    advice: 'Answer application/scim+json if Accept is absent or has a wildcard.',
    affects: { okta: 'The connection test fails if the server answers HTML or 406.' },
    run: async ({ people, get }) => {
      const { ada } = await people()
      const response = await get(ada.path, { headers: { Accept: '*/*' } })
      expectStatus(response, 200)
      expectHeader(response, 'Content-Type', /^application\/(scim\+)?json\s*(;|$)/i)
      expectMember(response, 'id', ada.id)
    },
  },
]

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ERROR_SCHEMA } from '../../src/lib/constants.ts'
import { EXCHANGES } from './exchanges.cases.ts'
import { BASE, serve } from './serve.ts'

it('any request is answered with a SCIM document, never a 500 or a rejection (RFC 7644 §3.12)', async () => {
  const errors: unknown[] = []
  const { fetch, send } = serve({
    onError: (error) => void errors.push(error),
    me: { id: () => id },
  })
  const id = String((await send('POST', '/Users', { userName: 'a' })).body.id)
  await send('POST', '/Groups', { displayName: 'g', members: [{ value: id }] })
  await fc.assert(
    fc.asyncProperty(requests(id), async ({ method, path, headers, body }) => {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const url = `${BASE}${path}`
      if (!URL.canParse(url)) return
      const request = new Request(url, {
        method,
        headers: { Authorization: 'Bearer t', ...headers },
        ...(hasBody ? { body } : {}),
      })
      const response = await fetch(request)
      expect(errors).toEqual([])
      expect(response.status).not.toBe(500)
      const text = await response.text()
      if (text === '') return
      expect(response.headers.get('Content-Type')).toBe('application/scim+json')
      const document = JSON.parse(text)
      if (response.ok) return
      expect(document).toMatchObject({ schemas: [ERROR_SCHEMA], status: String(response.status) })
    }),
    { numRuns: 300 },
  )
})

function requests(id: string) {
  return fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    path: fc.oneof(
      ...EXCHANGES.map(({ send: [, path] }) => fc.constant(path.replaceAll('{id}', id))),
      fc.tuple(fc.constantFrom('/Users', '/Groups', '/Me', '/Schemas'), queries()).map(joined),
      fc
        .tuple(fc.constantFrom(`/Users/${id}`, '/Users/%ff', '//', '/.search/'), queries())
        .map(joined),
      fc.webPath(),
      fc.string().map((text) => `/${text}`),
    ),
    headers: fc.record(
      {
        'If-Match': tags(),
        'If-None-Match': tags(),
        'Content-Type': fc.constantFrom(
          'application/scim+json',
          'application/json',
          'text/html',
          'x',
        ),
      },
      { requiredKeys: [] },
    ),
    body: fc.oneof(
      fc.json(),
      fc.string(),
      ...EXCHANGES.map(({ send: [, , body] }) => fc.constant(JSON.stringify(body) ?? '')),
      fc
        .record({
          schemas: fc.constant(['urn:ietf:params:scim:api:messages:2.0:PatchOp']),
          Operations: fc.array(
            fc.record({
              op: fc.constantFrom('add', 'replace', 'remove', 'Add'),
              path: fc.oneof(
                fc.constantFrom(
                  'title',
                  'emails[type eq "work"].value',
                  'members',
                  'groups',
                  'meta',
                ),
                fc.string(),
              ),
              value: fc.jsonValue(),
            }),
          ),
        })
        .map((body) => JSON.stringify(body)),
    ),
  })
}

function queries() {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'userName eq "a"',
      'groups.value pr',
      'meta.created gt "2020-01-01T00:00:00Z"',
      'id',
      '-1',
      '0',
    ),
  )
  const name = fc.constantFrom(
    'filter',
    'sortBy',
    'sortOrder',
    'startIndex',
    'count',
    'attributes',
    'excludedAttributes',
    'cursor',
  )
  return fc.array(fc.tuple(name, value), { maxLength: 4 })
}

function joined([path, query]: [string, [string, string][]]): string {
  return `${path}?${new URLSearchParams(query)}`
}

function tags() {
  return fc.oneof(fc.constantFrom('*', 'W/"1"', '"1", W/"2"', ''), fc.stringMatching(/^[ -~]*$/))
}

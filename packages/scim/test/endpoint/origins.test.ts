import { describe, expect, it } from 'vitest'
import { serve } from './serve.ts'

/** The messages for the second and later requests of an endpoint, and the location of the first answer. */
async function serveForwarded(headers: Record<string, string>, options: object = {}) {
  const errors: string[] = []
  const { send } = serve({ onError: (error) => void errors.push(String(error)), ...options })
  const { body } = await send('POST', '/Users', { userName: 'a' }, headers)
  await send('GET', '/Users', undefined, headers)
  return { errors, location: body?.meta?.location }
}

const message = (outer: string) =>
  `Error: locations start with https://example.com, but a proxy received the request at ${outer}: set the option base`

describe('a request that a proxy received at another origin', () => {
  it.each<[Record<string, string>, string]>([
    [{ 'X-Forwarded-Host': 'scim.example.com' }, 'https://scim.example.com'],
    [{ 'X-Forwarded-Host': 'scim.example.com:8443' }, 'https://scim.example.com:8443'],
    [{ 'X-Forwarded-Host': 'scim.example.com, inner' }, 'https://scim.example.com'],
    [{ 'X-Forwarded-Proto': 'http' }, 'http://example.com'],
    [{ 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'a.example' }, 'http://a.example'],
    // RFC 7239 §4
    [{ Forwarded: 'for=192.0.2.1;host=a.example;proto=http' }, 'http://a.example'],
    [{ Forwarded: 'for=192.0.2.1; Host="a.example:81", host=b' }, 'https://a.example:81'],
  ])('an endpoint without base reports the origin in %j once', async (headers, outer) => {
    const { errors, location } = await serveForwarded(headers)
    expect(errors).toEqual([message(outer)])
    expect(location).toMatch(/^https:\/\/example\.com\/scim\/v2\/Users\//)
  })
})

describe('origins that are not reported', () => {
  it.each<[string, Record<string, string>]>([
    ['without a proxy', {}],
    ['for the same origin', { 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Proto': 'https' }],
    ['for the default port', { 'X-Forwarded-Host': 'example.com:443' }],
    ['for a host in capital letters', { 'X-Forwarded-Host': 'EXAMPLE.com' }],
    ['for a header that is not a host', { 'X-Forwarded-Host': 'a b', 'X-Forwarded-Proto': '?' }],
    ['for a scheme other than HTTP', { 'X-Forwarded-Proto': 'javascript' }],
    ['for empty headers', { 'X-Forwarded-Host': '', Forwarded: '' }],
  ])('no origin is reported %s', async (_, headers) => {
    expect((await serveForwarded(headers)).errors).toEqual([])
  })

  it('an endpoint with base reports nothing', async () => {
    const options = { base: 'https://scim.example.com/scim/v2' }
    const { errors, location } = await serveForwarded({ 'X-Forwarded-Host': 'b.example' }, options)
    expect(errors).toEqual([])
    expect(location).toMatch(/^https:\/\/scim\.example\.com\/scim\/v2\/Users\//)
  })

  it('a request from an unauthenticated client reports nothing', async () => {
    const options = { authenticate: async () => null }
    const { errors } = await serveForwarded({ 'X-Forwarded-Host': 'b.example' }, options)
    expect(errors).toEqual([])
  })
})

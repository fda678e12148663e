import { RoutePattern } from '@remix-run/route-pattern'
import { createMultiMatcher } from '@remix-run/route-pattern/match'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareRoute } from '../spec/route.ts'
import { createSegmentMatcher } from './segment-matcher.ts'

const segment = fc.constantFrom('a', 'b', 'a.b', 'A', ':x', ':y', '~', 'ä', '%41', 'a b', '')
const patterns = fc.array(
  fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  { minLength: 1, maxLength: 8 },
)
const sent = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'A',
  '%61',
  '%2F',
  '~',
  '%7e',
  'ä',
  '%C3%A4',
  '%FF',
  '%',
  '%41',
  '%2541',
  'a b',
  '',
  '.',
  '..',
  ':x',
  '{',
  '+',
  '%00',
  'c',
)
const suffixes = fc.constantFrom('', '?a=b#c', '?/x', '#?a/b', '?')
const urls = fc
  .tuple(fc.array(sent, { maxLength: 5 }), suffixes, fc.constantFrom('http:', 'https:', 'ws:'))
  .map(([segments, suffix, scheme]) => `${scheme}//localhost:8080/${segments.join('/')}${suffix}`)

it('the simple-path matcher finds the same routes and params as route-pattern', () => {
  fc.assert(
    fc.property(patterns, fc.array(urls, { minLength: 1, maxLength: 8 }), (all, requested) => {
      const routes = all.flatMap((pattern) => {
        const { value } = prepareRoute({ method: 'GET', pattern })
        return value ? [[value, pattern] as const] : []
      })
      const matcher = createSegmentMatcher(routes)
      fc.pre(matcher !== null)
      const other = createMultiMatcher<string>()
      for (const [{ pattern }, value] of routes) other.add(pattern, value)
      for (const url of requested) {
        const found = other.match(url)
        expect(matcher?.(url)).toEqual(found && { value: found.data, params: found.params })
      }
    }),
    { numRuns: 2_000 },
  )
})

it.each(['/a/*rest', '/a/:x.json', '/a(/b)', 'https://a.example/b', '/a-:x', String.raw`/a\:b`])(
  'the pattern %s is left to route-pattern',
  (pattern) => {
    const parsed = RoutePattern.parse(pattern)
    const { value } = prepareRoute({ method: 'GET', pattern: '/' })
    if (value === undefined) throw new Error('not a route')
    const origin = pattern.startsWith('https') ? 'https://a.example' : null
    expect(createSegmentMatcher([[{ ...value, origin, pattern: parsed }, 1]])).toBeNull()
  },
)

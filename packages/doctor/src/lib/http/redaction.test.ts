import { expect, it } from 'vitest'
import { createRedaction } from './redaction.ts'

const setting = (...cookies: readonly string[]) =>
  new Headers(cookies.map((cookie) => ['Set-Cookie', cookie]))

it.each([
  ['sid=abcdef0123456789; HttpOnly', 'abcdef0123456789'],
  ['sid="abcdef0123456789"', 'abcdef0123456789'],
  ['sid=a/b+c==d=e; Path=/', 'a/b+c==d=e'],
])('the cookie value %j is replaced in later texts, also encoded', (cookie, value) => {
  const { redact, addCookies } = createRedaction(['token-1'])
  expect(redact(`x ${value}`)).toBe(`x ${value}`)
  addCookies(setting('first=aaaaaaaaaa', cookie))
  const encoded = encodeURIComponent(value)
  expect(redact(`x ${value} ${encoded} token-1 aaaaaaaaaa`)).toBe('x *** *** *** ***')
})

it('a short cookie value stays, because ordinary texts contain it', () => {
  const { redact, addCookies } = createRedaction([])
  addCookies(setting('lang=en-US', 'isOn=true', 'empty='))
  expect(redact('true for en-US')).toBe('true for en-US')
})

it('the latest 20 cookies are known, so one in each response does not slow down a report', () => {
  const { redact, addCookies } = createRedaction([])
  for (let at = 100; at < 400; at += 1) addCookies(setting(`sid=value-of-${at}`))
  expect(redact('value-of-399 value-of-380')).toBe('*** ***')
  expect(redact('value-of-100')).toBe('value-of-100')
})

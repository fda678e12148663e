import { isFailure } from '@plumbline/result'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'

// End-to-end tests show that a failed start prints the message.
it.each<[string, Record<string, string>, RegExp]>([
  ['a port that is not a number', { PORT: 'http' }, /^PORT must be between 0 and 65535, not http$/],
  ['a port above the range', { PORT: '65536' }, /^PORT must be between 0 and 65535, not 65536$/],
  ['a port below the range', { PORT: '-1' }, /^PORT must be between 0 and 65535, not -1$/],
  ['an unknown database', { DATABASE_URL: 'mysql://secret@db' }, /^DATABASE_URL must be file:/],
  ['a database without a path', { DATABASE_URL: 'file:' }, /^DATABASE_URL must be file:/],
  ['a malformed address', { DATABASE_URL: 'postgres://secret@[' }, /^DATABASE_URL must be/],
  [
    'a malformed public URL',
    { PUBLIC_URL: 'directory.example.com' },
    /^PUBLIC_URL must be an http/,
  ],
  [
    'a public URL with a path',
    { PUBLIC_URL: 'https://a.example/scim/v2' },
    /^PUBLIC_URL must be an http/,
  ],
  [
    'a public URL with a password',
    { PUBLIC_URL: 'https://a:secret@a.example' },
    /^PUBLIC_URL must be/,
  ],
  ['a log of no days', { REQUEST_LOG_DAYS: '0' }, /^REQUEST_LOG_DAYS must be/],
  ['a log of too many rows', { REQUEST_LOG_ROWS: '10000001' }, /^REQUEST_LOG_ROWS must be/],
  ['a rate that is not a number', { RATE_LIMIT: 'fast' }, /^RATE_LIMIT must be a whole/],
  ['a token with a space', { DIRECTORY_TOKEN: 'secret secret secret' }, /^DIRECTORY_TOKEN must/],
])('the configuration rejects %s in one line', (_, env, message) => {
  const config = readConfig(env)
  if (!isFailure(config)) return expect.fail('the configuration is accepted')
  expect(config.error.message).toMatch(message)
  expect(config.error.message).not.toMatch(/\n|secret/)
})

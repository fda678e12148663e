import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@plumbline/result'
import { afterAll, expect, it } from 'vitest'
import { readConfig, VARIABLES } from '../../src/commands/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
function fileOf(content: string): string {
  const path = join(folder, crypto.randomUUID())
  writeFileSync(path, content)
  return path
}

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
  ['changes of too few days', { CHANGE_DAYS: '3' }, /^CHANGE_DAYS must be/],
  ['a receiver with a scheme', { WEBHOOK_ALLOW: 'https://a.example' }, /^WEBHOOK_ALLOW must list/],
  ['a range with too many bits', { WEBHOOK_ALLOW: 'a,10.0.0.0/33' }, /not 10\.0\.0\.0\/33$/],
  ['a log of no days', { REQUEST_LOG_DAYS: '0' }, /^REQUEST_LOG_DAYS must be/],
  ['a log of no bytes', { REQUEST_LOG_MEGABYTES: '0' }, /^REQUEST_LOG_MEGABYTES must be/],
  ['a log of too many rows', { REQUEST_LOG_ROWS: '10000001' }, /^REQUEST_LOG_ROWS must be/],
  [
    'an unknown log level',
    { LOG_LEVEL: 'trace' },
    /^LOG_LEVEL must be debug, info, warn, error, not trace$/,
  ],
  ['an unknown greeting', { GREETING: 'xml' }, /^GREETING must be text, json, not xml$/],
  ['a rate that is not a number', { RATE_LIMIT: 'fast' }, /^RATE_LIMIT must be a whole/],
  [
    'a variable that is set twice',
    { DIRECTORY_TOKEN: 'secret-secret-secret', DIRECTORY_TOKEN_FILE: 'token' },
    /^DIRECTORY_TOKEN and DIRECTORY_TOKEN_FILE are both set; set only one$/,
  ],
  [
    'a file that does not exist',
    { DATABASE_URL_FILE: join(folder, 'none') },
    /^the file \S+none of DATABASE_URL_FILE cannot be read$/,
  ],
  [
    'an empty file',
    { DATABASE_URL_FILE: fileOf(' \n') },
    /^the file \S+ of DATABASE_URL_FILE is empty$/,
  ],
  [
    'a token with a space in a file',
    { DIRECTORY_TOKEN_FILE: fileOf('secret secret secret') },
    /^DIRECTORY_TOKEN must/,
  ],
  [
    'an unknown database in a file',
    { DATABASE_URL_FILE: fileOf('mysql://secret@db') },
    /^DATABASE_URL must be/,
  ],
  ['a short token', { DIRECTORY_TOKEN: 'secret' }, /^DIRECTORY_TOKEN must have at least 16/],
  ['a token with a space', { DIRECTORY_TOKEN: 'secret secret secret' }, /^DIRECTORY_TOKEN must/],
])('the configuration rejects %s in one line', (_, env, message) => {
  const config = readConfig(env)
  if (!isFailure(config)) return expect.fail('the configuration is accepted')
  expect(config.error.message).toMatch(message)
  expect(config.error.message).not.toMatch(/\n|secret/)
})

it('the configuration reads the token and the database address from files, without the final line break', () => {
  const [token, database] = ['a-token-of-the-file', 'postgres://user:secret@db/directory']
  const env = { DIRECTORY_TOKEN_FILE: fileOf(`${token}\n`), DATABASE_URL_FILE: fileOf(database) }
  expect(readConfig(env)).toMatchObject({
    status: 'success',
    data: { token, database, tokenFile: env.DIRECTORY_TOKEN_FILE },
  })
  // An empty variable is one that is not set, as in the environment of a service that has a default.
  expect(readConfig({ ...env, DATABASE_URL: '' })).toMatchObject({ data: { database } })
})

it('the README lists every variable in --help', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const missing = VARIABLES.filter(([name]) => !readme.includes(`\`${name}\``))
  expect(missing.map(([name]) => name)).toEqual([])
})

import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/formats'
import { isJsonObject } from '@plumbline/base'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../src/lib/schema/standard-schema.ts'
import { convert } from '../src/lib/schema/to-json-schema.ts'

/**
 * Every string format of the libraries, on strings near the border of each, compared with a validator that also checks
 * the formats that a document names.
 */
const formats: Readonly<Record<string, Schema>> = {
  ...named('zod', {
    email: z.email(),
    'email of HTML': z.email({ pattern: z.regexes.html5Email }),
    'email of Unicode': z.email({ pattern: z.regexes.unicodeEmail }),
    uuid: z.uuid(),
    uuidv4: z.uuidv4(),
    uuidv7: z.uuidv7(),
    guid: z.guid(),
    emoji: z.emoji(),
    nanoid: z.nanoid(),
    cuid: z.cuid(),
    cuid2: z.cuid2(),
    ulid: z.ulid(),
    xid: z.xid(),
    ksuid: z.ksuid(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    cidrv4: z.cidrv4(),
    cidrv6: z.cidrv6(),
    base64: z.base64(),
    base64url: z.base64url(),
    e164: z.e164(),
    datetime: z.iso.datetime(),
    'datetime with an offset': z.iso.datetime({ offset: true }),
    'local datetime': z.iso.datetime({ local: true }),
    'datetime of a precision': z.iso.datetime({ precision: 3 }),
    'datetime of minutes': z.iso.datetime({ precision: -1 }),
    date: z.iso.date(),
    time: z.iso.time(),
    duration: z.iso.duration(),
    hostname: z.hostname(),
    hex: z.hex(),
    mac: z.mac(),
    hash: z.hash('md5'),
    stringbool: z.stringbool(),
    'a format of its own': z.stringFormat('of-a', /^a/),
    lowercase: z.string().lowercase(),
    uppercase: z.string().uppercase(),
  }),
  ...Object.fromEntries(
    (
      [
        'string.alpha',
        'string.alphanumeric',
        'string.base64',
        'string.base64.url',
        'string.capitalize.preformatted',
        'string.date.iso',
        'string.digits',
        'string.email',
        'string.hex',
        'string.integer',
        'string.ip',
        'string.ip.v4',
        'string.ip.v6',
        'string.lower.preformatted',
        'string.upper.preformatted',
        'string.numeric',
        'string.semver',
        'string.trim.preformatted',
        'string.uuid',
        'string.uuid.v4',
        'string.uuid.v7',
        'string.date.iso.parse',
        'string.numeric.parse',
      ] as const
    ).map((keyword) => [`ArkType: ${keyword}`, type.raw(keyword)]),
  ),
  ...ofValibot({
    base64: v.base64(),
    bic: v.bic(),
    cuid2: v.cuid2(),
    decimal: v.decimal(),
    digits: v.digits(),
    domain: v.domain(),
    email: v.email(),
    rfcEmail: v.rfcEmail(),
    emoji: v.emoji(),
    hexColor: v.hexColor(),
    hexadecimal: v.hexadecimal(),
    hash: v.hash(['md5']),
    ip: v.ip(),
    ipv4: v.ipv4(),
    ipv6: v.ipv6(),
    isoDate: v.isoDate(),
    isoDateTime: v.isoDateTime(),
    isoTime: v.isoTime(),
    isoTimeSecond: v.isoTimeSecond(),
    isoTimestamp: v.isoTimestamp(),
    isoWeek: v.isoWeek(),
    isrc: v.isrc(),
    jwsCompact: v.jwsCompact(),
    mac: v.mac(),
    mac48: v.mac48(),
    mac64: v.mac64(),
    nanoid: v.nanoid(),
    octal: v.octal(),
    slug: v.slug(),
    ulid: v.ulid(),
    uuid: v.uuid(),
    startsWith: v.startsWith('a'),
    endsWith: v.endsWith('.'),
    includes: v.includes('a'),
  }),
}

/** A URL is what a URL parser accepts: most URIs, and text that it encodes. */
const urls: Readonly<Record<string, Schema>> = {
  'zod: url': z.url(),
  'ArkType: string.url': type('string.url'),
  ...ofValibot({ url: v.url() }),
}

/** Formats that no pattern describes, such as those with a check digit: the document accepts more. */
const codes: Readonly<Record<string, Schema>> = {
  'zod: jwt': z.jwt(),
  'zod: httpUrl': z.httpUrl(),
  'ArkType: string.creditCard': type('string.creditCard'),
  'ArkType: string.date': type('string.date'),
  'ArkType: string.date.epoch': type('string.date.epoch'),
  'ArkType: string.json': type('string.json'),
  'ArkType: string.integer.parse': type('string.integer.parse'),
}

function named(library: string, schemas: Readonly<Record<string, Schema>>) {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`${library}: ${name}`, schema]),
  )
}

function ofValibot(actions: Readonly<Record<string, v.GenericPipeAction<string>>>) {
  const schemas = Object.entries(actions).map(([name, action]) => [
    name,
    toStandardJsonSchema(v.pipe(v.string(), action)),
  ])
  return named('Valibot', Object.fromEntries(schemas))
}

/** The strings on which a document and its schema differ. */
async function differences(name: string, schema: Schema) {
  const { value, fault } = convert(schema)
  if (fault) throw new Error(fault.message)
  expect(value.inexact).toEqual([])
  const uri = `https://formats.example/${encodeURIComponent(name)}`
  const json = { ...value.json, $schema: 'https://json-schema.org/draft/2020-12/schema' }
  registerSchema(JSON.parse(JSON.stringify(json)), uri)
  const check = await validate(uri)
  unregisterSchema(uri)
  const found = { documentOnly: [] as string[], schemaOnly: [] as string[], both: 0 }
  for (const text of STRINGS) {
    const isDocumented = accepts(check, text)
    const result = await schema['~standard'].validate(text)
    const isAccepted = !result.issues
    if (isDocumented && isAccepted) found.both += 1
    if (isDocumented && !isAccepted) found.documentOnly.push(text)
    if (!isDocumented && isAccepted) found.schemaOnly.push(text)
  }
  expect(isJsonObject(value.json)).toBe(true)
  return found
}

/** The validator throws for some host names that are not valid. */
function accepts(check: Awaited<ReturnType<typeof validate>>, text: string): boolean {
  try {
    return check(text).valid
  } catch {
    return false
  }
}

describe('a string format', () => {
  beforeAll(() => setShouldValidateFormat(true))
  afterAll(() => setShouldValidateFormat(undefined))

  it.each(Object.entries(formats))('%s is documented exactly', async (name, schema) => {
    const { both, ...different } = await differences(name, schema)
    expect(different).toEqual({ documentOnly: [], schemaOnly: [] })
    expect(both).toBeGreaterThan(0)
  })

  it.each(Object.entries(urls))(
    '%s is documented as a URI, and accepts more',
    async (name, schema) => {
      const { documentOnly, schemaOnly } = await differences(name, schema)
      // A URI without a host, which the scheme requires.
      expect(documentOnly).toEqual(['http://'])
      expect(schemaOnly).toContain('https://ex.com/ä')
    },
  )

  it.each(Object.entries(codes))('%s is documented as more strings', async (name, schema) => {
    const { documentOnly, both } = await differences(name, schema)
    expect(documentOnly).not.toEqual([])
    expect(both).toBeGreaterThan(0)
  })
})

const STRINGS: readonly string[] = [
  '00:11:22:33:44:55:66:77',
  'https://example.com/a',
  '',
  ' ',
  'a',
  'ab',
  'A',
  'abc',
  '  ',
  ' a ',
  '1',
  '0',
  '12',
  '-1',
  '1.5',
  '1e3',
  '1e400',
  '9007199254740993',
  '0x1f',
  '1_000',
  '01',
  '+1',
  '.5',
  '5.',
  '-0',
  'Infinity',
  'NaN',
  'true',
  'false',
  'yes',
  'no',
  'on',
  'TRUE',
  'enabled',
  'null',
  '{}',
  '{"a":1}',
  '[1]',
  '{',
  'a@b.co',
  'A.B+c@ex-ample.com',
  'a@b',
  'a..b@c.de',
  '"a b"@c.de',
  'é@ü.de',
  "o'x@y.zz",
  'a@[1.2.3.4]',
  '.a@b.co',
  'a@b.c',
  'a@-b.co',
  'a_b@c.museum',
  '2026-01-01',
  '2026-02-30',
  '2024-02-29',
  '2023-02-29',
  '2026-13-01',
  '10000-01-01',
  '2026-1-1',
  '0000-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01T00:00:00+02:00',
  '2026-01-01T00:00:00+0200',
  '2026-01-01T00:00:00+02',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01 00:00',
  '2026-01-01T00:00',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:59:60Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T25:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00-00:00',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+14:00',
  '12:00',
  '12:00:00',
  '12:00:00Z',
  '12:00:00.5Z',
  '12:00:00.5',
  '12:00:00+01:00',
  '24:00:00Z',
  '23:59:60Z',
  '2026-W01',
  '2026-W54',
  'P1D',
  'PT1H',
  'P1Y2M3DT4H5M6S',
  'P1W',
  'P',
  'PT',
  'P1DT',
  'P0.5D',
  'P1,5D',
  '-P1D',
  'PT0.5S',
  'P1Y1W',
  'P1M1D',
  '1767225600000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '123e4567-e89b-12d3-a456-426614174000',
  '123e4567-e89b-42d3-a456-426614174000',
  '123E4567-E89B-12D3-A456-426614174000',
  '123e4567-e89b-02d3-a456-426614174000',
  '123e4567-e89b-12d3-c456-426614174000',
  '018f4567-e89b-72d3-a456-426614174000',
  '{123e4567-e89b-12d3-a456-426614174000}',
  'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
  '123e4567e89b12d3a456426614174000',
  'http://a.b',
  'http://a',
  'https://ex.com/a b',
  'https://ex.com/ä',
  'mailto:a@b.c',
  'a:b',
  'urn:a:b',
  '/a',
  'http://',
  'http:a',
  'http:///a',
  'HTTP://A.B',
  'ftp://x',
  'javascript:1',
  'http://a b',
  ' http://a.b ',
  'http://[::1]',
  'http://1.2.3',
  'https://a.b/%zz',
  'https://a.b/?q=[x]',
  'https://a.b/|',
  'https://a.b/\\',
  'https://a.b/#a#b',
  '\thttp://a.b',
  'https://a.b\n',
  '1.2.3.4',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3',
  '::1',
  '::',
  'fe80::1%eth0',
  '2001:db8::8a2e:370:7334',
  '1:2:3:4:5:6:7:8',
  '::ffff:1.2.3.4',
  '1::2::3',
  '2001:DB8::1',
  '12345::',
  '10.0.0.0/8',
  '::/64',
  '10.0.0.0/33',
  '1:2:3:4:5:6:7::',
  '::1.2.3.4',
  '1:2:3:4:5:6:1.2.3.4',
  '::FFFF:256.1.1.1',
  'localhost',
  'example.com',
  'ex_ample.com',
  '-a.com',
  'a-.com',
  'a.com.',
  'xn--nxasmq6b',
  'EXAMPLE.com',
  'a'.repeat(64),
  'a'.repeat(63) + '.com',
  '例え.jp',
  'a..b',
  '1.2.3.4.5',
  'example.com:80',
  'YQ==',
  'YQ',
  'YWI=',
  'YWJj',
  'YW Jj',
  '_-8',
  '+/8=',
  'YQ===',
  'Y',
  '====',
  '+15551234567',
  '15551234567',
  '+1',
  '00:11:22:33:44:55',
  '00-11-22-33-44-55',
  '0011.2233.4455',
  'AA:bb:CC:dd:EE:ff',
  '#fff',
  '#FFFFFF',
  'deadbeef',
  'DEADBEEF',
  '0o17',
  'my-slug',
  'My-Slug',
  'my--slug',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '9m4e2mr0ui3e8a215n4g',
  '0o5Fs0EELR0fUjHjbCnEtdUwQe3',
  'tz4a98xxat96iws9zmbrgj3a',
  'cjld2cjxh0000qzrmn831i7rn',
  'V1StGXR8_Z5jdHi6B-myT',
  '😀',
  '😀😀',
  '👨‍👩‍👧',
  '❤',
  '1️⃣',
  '#',
  'd41d8cd98f00b204e9800998ecf8427e',
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111111111111112',
  '1.2.3',
  '1.0.0-rc.1+b',
  'v1.0.0',
  'DEUTDEFF',
  '490154203237518',
  'eyJhbGciOiJIUzI1NiJ9.e30.abc',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2ln',
  'a.b.c',
  '^a$',
  '(',
  '[a-z]',
  'é',
  'É',
  'e\u0301',
  '\u00e9',
  'Abc',
  'aBC',
  'ABC',
  'a\nb',
  '\n',
  'a\n',
  'Jan 1 2026',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '2026/01/01',
  'hello world',
  'one two three',
  '\u0000',
  '\ud83d',
  'b',
  'ba',
  'US',
  'USRC17607839',
  '978-3-16-148410-0',
  '9783161484100',
  '080442957X',
]

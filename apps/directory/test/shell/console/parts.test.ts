import { describe, expect, it } from 'vitest'
import { type ConflictingRequest, findOwner } from '../../../src/features/log/pages/value-owner.ts'
import { countOf } from '../../../src/kernel/counts.ts'
import { message, time } from '../../../src/shell/console/components/text.ts'
import type { ConsoleContext } from '../../../src/shell/console/context.ts'
import { expiryOf, overlapOf } from '../../../src/shell/console/expiry.ts'
import { detailOf, expectStatus } from '../../../src/shell/console/faults.ts'
import { noticeCookie, readNotice } from '../../../src/shell/console/notice.ts'
import { readForm } from '../../../src/shell/console/read-form.ts'
import { formTokenOf, isFormToken, seal, unseal } from '../../../src/shell/console/seal.ts'

const FORM = 'application/x-www-form-urlencoded'

describe('a form', () => {
  const formOf = (headers: Readonly<Record<string, string>>, ...chunks: readonly string[]) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
    const init = { method: 'POST', headers, body, duplex: 'half' }
    return readForm(new Request('http://localhost/', init), 8)
  }

  it.each([FORM, `${FORM}; charset=utf-8`, ' Application/X-WWW-Form-URLencoded ;a=b'])(
    'a form with the media type %j is read',
    async (type) => {
      const form = await formOf({ 'Content-Type': type }, 'a=', '1&b=+')
      expect([...(form ?? [])]).toEqual([
        ['a', '1'],
        ['b', ' '],
      ])
    },
  )

  it.each([
    ['without a media type', {}, 'a=1'],
    ['of another media type', { 'Content-Type': 'text/plain' }, 'a=1'],
    [
      'whose length is said to exceed the limit',
      { 'Content-Type': FORM, 'Content-Length': '9' },
      'a=1',
    ],
    ['that exceeds the limit', { 'Content-Type': FORM }, 'a=1234567'],
  ])('a form %s is not read', async (_, headers, body) => {
    expect(await formOf(headers, body)).toBeNull()
  })

  it.each([['a=123456'], ['a=', '12', '3456']])(
    'a form of the greatest length is read',
    async (...chunks) => {
      const form = await formOf({ 'Content-Type': FORM, 'Content-Length': '8' }, ...chunks)
      expect(form?.get('a')).toBe('123456')
    },
  )

  it('a form over the limit in several chunks is not read to the end', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1
        controller.enqueue(new Uint8Array(5))
      },
    })
    const init = { method: 'POST', headers: { 'Content-Type': FORM }, body, duplex: 'half' }
    expect(await readForm(new Request('http://localhost/', init), 8)).toBeNull()
    expect(sent).toBeLessThan(5)
  })

  it('a form without a body is empty', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': FORM } }
    expect([...((await readForm(new Request('http://localhost/', init), 8)) ?? ['none'])]).toEqual(
      [],
    )
  })
})

describe("a form's token", () => {
  it("a form's token is valid only for the form's session", () => {
    const token = formTokenOf('one')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect([isFormToken(token, 'one'), isFormToken(token, 'two')]).toEqual([true, false])
    expect([isFormToken(null, 'one'), isFormToken('', 'one')]).toEqual([false, false])
  })
})

describe('a sealed value', () => {
  it('a sealed value is read in the same session, and differs each time', () => {
    const value = { message: 'ä', secret: 's' }
    const sealed = seal(value, 'one')
    expect(sealed).toMatch(/^[\w-]+$/)
    expect(unseal(sealed, 'one')).toEqual(value)
    expect(seal(value, 'one')).not.toBe(sealed)
  })

  it('a sealed value from another session is not read', () => {
    expect(unseal(seal({ message: 'a' }, 'one'), 'two')).toBeNull()
  })

  it('a changed or shortened sealed value is not read', () => {
    const bytes = Buffer.from(seal({ message: 'a' }, 'one'), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(unseal(changed.toString('base64url'), 'one')).toBeNull()
      expect(unseal(bytes.subarray(0, at).toString('base64url'), 'one')).toBeNull()
    }
  })
})

describe('a notice', () => {
  const noticeOf = (message: string, secret?: string) => {
    const [cookie = ''] = noticeCookie({ message, secret }, 'session', 'http://localhost').split(
      ';',
    )
    const request = new Request('http://localhost/', { headers: { Cookie: cookie } })
    return (session: string) => readNotice(request, session, 'http://localhost')
  }

  it('a notice is read by the session that wrote it', () => {
    const read = noticeOf('Created.', 'the-secret')
    expect(read('session')).toEqual({ message: 'Created.', secret: 'the-secret' })
    expect(read('other')).toBeNull()
    expect(noticeOf('Created.')('session')).toEqual({ message: 'Created.' })
  })

  it('a notice does not exist without a cookie', () => {
    expect(readNotice(new Request('http://localhost/'), 'session', 'http://localhost')).toBeNull()
  })

  it('a notice has at most 500 characters for the message, which fit into a cookie (RFC 6265 §6.1)', () => {
    const notice = { message: '€'.repeat(600), secret: 'x'.repeat(100) }
    const cookie = noticeCookie(notice, 'session', 'https://localhost')
    expect(cookie.length).toBeLessThan(4_096)
    expect(cookie).toMatch(/^__Host-plumbline-notice=[\w-]+; Path=\/; Max-Age=60; HttpOnly/)
    expect(noticeOf(notice.message)('session')?.message).toHaveLength(500)
  })
})

it.each([
  ['365', '1971-01-01T00:00:00.000Z'],
  ['90', '1970-04-01T00:00:00.000Z'],
  ['never', null],
  ['91', null],
  [null, null],
])('a token with the lifetime %j expires at %j', (days, expected) => {
  expect(expiryOf(days, 0)).toBe(expected)
})

it.each([
  ['0', 0],
  ['3600', 3_600],
  ['86400', 86_400],
  ['604800', 604_800],
  ['7', 86_400],
  [null, 86_400],
])(
  'the overlap %j in a form is %i seconds: one day, if it is not a choice',
  (seconds, expected) => {
    expect(overlapOf(seconds)).toBe(expected)
  },
)

it('a number has separators, and a lower bound says so', () => {
  expect(countOf({ count: 1_234_567, isExact: true })).toBe('1,234,567')
  expect(countOf({ count: 10_000, isExact: false })).toBe('10,000 or more')
})

it.each([null, undefined])('the time %j is a dash', async (none) => {
  expect(String(await time(none, 0))).toBe('–')
})

describe('an API answer a page does not expect', () => {
  it.each([
    [{ detail: 'It is gone.', title: 'Gone' }, 'It is gone.'],
    [{ title: 'Gone' }, 'Gone.'],
    [{ detail: 5, title: 'Gone' }, 'Gone.'],
    [{ title: 5 }, ''],
    [{}, ''],
    [null, ''],
    ['text', ''],
  ])('the answer %j is explained with %j (RFC 9457 §3.1)', (body, detail) => {
    expect(detailOf(body)).toBe(detail)
    expect(() => expectStatus({ status: 410, body }, 200)).toThrow(
      expect.objectContaining({ status: 410, message: detail }),
    )
  })

  it('the answer is returned if it has the status', () => {
    const answer = { status: 200, body: {} } as const
    expect(expectStatus(answer, 200)).toBe(answer)
  })
})

describe("a value's owner", () => {
  const TAKEN: ConflictingRequest = {
    scimType: 'uniqueness',
    attribute: 'userName',
    resourceType: 'User',
    exchange: { body: { userName: 'anna' } },
  }
  /** The owner that is found, and the paths that were requested. */
  const ownerOf = async (
    other: Partial<ConflictingRequest>,
    resources: unknown = [{ id: 'a' }],
  ) => {
    const paths: string[] = []
    const scim: ConsoleContext['scim'] = async (tenantId, path) => {
      paths.push(`${tenantId} ${path.replace(/\?.*/, '')} ${filterIn(path)}`)
      return Response.json({ Resources: resources })
    }
    return { owner: await findOwner({ scim }, 'acme', { ...TAKEN, ...other }), paths }
  }
  const filterIn = (path: string) => new URLSearchParams(path.split('?')[1]).get('filter')
  const found = { type: 'User', id: 'a', attribute: 'userName' }
  const operation = (...operations: readonly unknown[]) => ({ body: { operations } })

  it.each([
    ['a POST or PUT', { userName: 'anna' }],
    ['another letter case', { USERNAME: 'anna' }],
    ['a path', { Operations: [{ path: 'USERNAME', value: 'anna' }] }],
    ['a value without a path', { Operations: [{ value: { userName: 'anna' } }] }],
    [
      'a later operation',
      { Operations: [{ path: 'title', value: 'x' }, 7, { value: { username: 'anna' } }] },
    ],
  ])('the owner is searched by the value of %s', async (_, body) => {
    const { owner, paths } = await ownerOf({ exchange: { body } })
    expect([owner, paths]).toEqual([found, ['acme /Users userName eq "anna"']])
  })

  it("the owner of a group's value is searched in the groups", async () => {
    const attribute = 'displayName'
    const exchange = { body: { displayName: 'a "b"' } }
    const { owner, paths } = await ownerOf({ attribute, exchange, resourceType: 'Group' })
    expect(owner).toEqual({ type: 'Group', id: 'a', attribute: 'displayName' })
    expect(paths).toEqual(['acme /Groups displayName eq "a \\"b\\""'])
  })

  it.each([
    ['another code', { scimType: 'invalidValue' }],
    ['no code', { scimType: null }],
    ['another type', { resourceType: 'Device' }],
    ['no type', { resourceType: null }],
    ['no attribute', { attribute: null }],
    ['no bodies', { exchange: null }],
    ['no body', { exchange: {} }],
    ['a body that is not an object', { exchange: { body: 'userName' } }],
    ['a value that is not a string', { exchange: { body: { userName: 5 } } }],
    ['operations that are not a list', { exchange: { body: { operations: 'userName' } } }],
    ['another path', { exchange: operation({ path: 'title', value: 'anna' }) }],
    ['a path that is not a string', { exchange: operation({ path: 5, value: 'anna' }, null) }],
  ])('the owner is not searched for %s', async (_, other) => {
    expect(await ownerOf(other)).toEqual({ owner: null, paths: [] })
  })

  it.each([[[]], [[{}]], [[{ id: 5 }]], [null]])(
    'the owner is not known if %j is found',
    async (resources) => {
      expect((await ownerOf({}, resources)).owner).toBeNull()
    },
  )
})

describe("an error's message", () => {
  it.each([
    ['not found', { end: '.' }, 'not found.'],
    ['<b>', {}, '&lt;b&gt;'],
    [
      'expected a name\na eq "<"\n      ^',
      { end: '.' },
      'expected a name <code class="excerpt">a eq &quot;&lt;&quot;\n      ^</code>',
    ],
  ])("a message keeps an excerpt's spaces, and escapes it: %j", async (text, options, expected) => {
    expect((await message(text, options)).toString()).toBe(expected)
  })
})

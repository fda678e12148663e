import { defineProblems } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { info, problems, request, route, violationsOf } from './check.cases.ts'
import { checkResponse } from './check-response.ts'

/** The violations of a response. Two of the three problems share a status. */
async function found(response: Response): Promise<readonly string[]> {
  const violations = await violationsOf(
    {
      responses: { 200: { description: 'The book' } },
      problems: ['notFound', 'gone', 'outOfCredit'],
    },
    response,
  )
  return violations.map(({ kind, pointer }) =>
    pointer === undefined ? kind : `${kind} at ${JSON.stringify(pointer)}`,
  )
}

function answer(body: unknown, type = 'application/problem+json', status = 404): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': type },
  })
}

const notFound = {
  type: 'https://example.com/problems/not-found',
  title: 'No such book',
  status: 404,
}
const outOfCredit = {
  type: 'https://example.com/problems/out-of-credit',
  title: 'Not enough credit',
  status: 403,
  balance: 30,
}

describe('a problem (RFC 9457 §3)', () => {
  it('a catalog problem with all optional members conforms to the document', async () => {
    const details = { detail: 'b1 is not here', instance: '/books/b1' }
    expect(await found(problems.notFound())).toEqual([])
    expect(await found(problems.notFound(details))).toEqual([])
    expect(await found(problems.gone(details))).toEqual([])
    const extensions = { balance: 30, accounts: ['/accounts/1'] }
    expect(await found(problems.outOfCredit({ ...details, extensions }))).toEqual([])
  })

  it.each(['application/problem+json; charset=utf-8', 'Application/Problem+JSON'])(
    'a problem may be sent as %s',
    async (type) => {
      expect(await found(answer(notFound, type))).toEqual([])
    },
  )

  it.each(['application/json', 'application/problem+xml', 'text/html', ''])(
    'a problem may not be sent as %j',
    async (type) => {
      expect(await found(answer(notFound, type))).toEqual(['undocumented-media-type'])
    },
  )

  it('a problem needs a media type', async () => {
    const response = new Response(null, { status: 404 })
    expect(await found(response)).toEqual(['undocumented-media-type'])
  })

  it('a problem may have undeclared members (§3.2)', async () => {
    expect(await found(answer({ ...notFound, trace: 'abc' }))).toEqual([])
  })

  it.each<[what: string, body: unknown]>([
    ['unknown', { ...notFound, type: 'https://example.com/problems/lost' }],
    ['about:blank', { ...notFound, type: 'about:blank' }],
    ['relative', { ...notFound, type: 'not-found' }],
    ['missing', { title: notFound.title, status: 404 }],
    ['not a string', { ...notFound, type: 7 }],
  ])('the problem type %s is not in the document', async (_, body) => {
    expect(await found(answer(body))).toEqual(['undocumented-problem-type at "/type"'])
  })

  it('a problem with another status is a violation', async () => {
    expect(await found(answer(outOfCredit))).toEqual(['undocumented-problem-type at "/type"'])
  })

  it.each<[what: string, body: unknown, pointers: readonly string[]]>([
    ['title from another problem', { ...notFound, title: 'The book is gone' }, ['/title']],
    ['status other than the response status', { ...notFound, status: 403 }, ['/status']],
    ['status that is a string', { ...notFound, status: '404' }, ['/status']],
    ['no title and no status', { type: notFound.type }, ['/title', '/status']],
    ['detail that is not a string', { ...notFound, detail: { a: 1 } }, ['/detail']],
    ['detail of null', { ...notFound, detail: null }, ['/detail']],
    ['instance that is not a string', { ...notFound, instance: 7 }, ['/instance']],
  ])('a problem with a %s is a violation', async (_, body, pointers) => {
    expect(await found(answer(body))).toEqual(
      pointers.map((pointer) => `body-mismatch at "${pointer}"`),
    )
  })

  it.each<[extensions: object, pointers: readonly string[]]>([
    [{ balance: 30 }, []],
    [{ balance: 30, accounts: [] }, []],
    [{}, ['/balance']],
    [{ balance: '30' }, ['/balance']],
    [{ balance: 30, accounts: ['a', 7] }, ['/accounts/1']],
  ])(
    'a problem with the extension members %j is a violation at %j',
    async (extensions, pointers) => {
      const { balance: _, ...standard } = outOfCredit
      const body = { ...standard, ...extensions }
      expect(await found(answer(body, 'application/problem+json', 403))).toEqual(
        pointers.map((pointer) => `body-mismatch at "${pointer}"`),
      )
    },
  )

  it.each<[extensions: object, messages: readonly string[]]>([
    [{ shelves: ['a'] }, []],
    [{ shelves: ['a'], other: 1, note: 'x' }, []],
    [{}, ['/shelves']],
    [{ shelves: ['a', 7], note: 7 }, ['/shelves/1', '/note']],
  ])(
    'a problem whose schema record receives %j is a violation at %j',
    async (extensions, pointers) => {
      const declared = { shelves: z.array(z.string()), note: z.string().optional() }
      const catalog = defineProblems('https://example.com/problems', {
        moved: { slug: 'moved', status: 410, title: 'Moved', extensions: declared },
      })
      const builder = createDocument({ info, problems: catalog }).add(
        defineOperation('readBook', route, { summary: 'Read a book', problems: ['moved'] }),
      )
      const { type, title, status } = catalog.moved
      const body = { type, title, status, ...extensions }
      const sent = answer(body, 'application/problem+json', 410)
      const checked = await checkResponse(builder, request, sent)
      const violations = isFailure(checked) ? checked.error.violations : []
      expect(violations.map(({ pointer }) => pointer)).toEqual(pointers)
    },
  )

  it('a violation is reported if a record schema throws', async () => {
    const throwing = z.string().refine(() => {
      throw new Error('out of order')
    })
    const catalog = defineProblems('https://example.com/problems', {
      moved: { slug: 'moved', status: 410, title: 'Moved', extensions: { to: throwing } },
    })
    const builder = createDocument({ info, problems: catalog }).add(
      defineOperation('readBook', route, { summary: 'Read a book', problems: ['moved'] }),
    )
    const checked = await checkResponse(
      builder,
      request,
      catalog.moved({ extensions: { to: 'b' } }),
    )
    expect(isFailure(checked) && checked.error.violations[0]?.message).toContain('out of order')
  })

  it("a strict extension accepts the catalog's response, and rejects other members", async () => {
    const strict = defineProblems('https://example.com/problems', {
      locked: {
        slug: 'locked',
        status: 423,
        title: 'It is on loan',
        extensions: z.strictObject({ by: z.string() }),
      },
    })
    const builder = createDocument({ info, problems: strict }).add(
      defineOperation('readBook', route, { summary: 'Read a book', problems: ['locked'] }),
    )
    const locked = strict.locked({ detail: 'Until noon', extensions: { by: 'r1' } })
    const body = await locked.clone().json()
    expect(isFailure(await checkResponse(builder, request, locked))).toBe(false)
    const more = answer({ ...body, until: 'noon' }, 'application/problem+json', 423)
    const checked = await checkResponse(builder, request, more)
    expect(isFailure(checked) && checked.error.violations[0]?.kind).toBe('body-mismatch')

    // A validator of JSON Schema finds the same violations with the document.
    const { schemas } = unwrap(builder.build()).components ?? {}
    expect(schemas?.LockedProblem).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
      ],
      unevaluatedProperties: false,
    })
    expect(JSON.stringify(schemas)).not.toContain('additionalProperties')
  })

  it.each(['', '{', '[]', 'null', '"text"'])('a problem is an object, and not %j', async (text) => {
    expect(await found(answer(text))).toEqual(['body-mismatch at ""'])
  })

  it('the client can still read the problem', async () => {
    const response = problems.notFound()
    await found(response)
    expect(await response.json()).toEqual(notFound)
  })
})

it('a response sent as problem+json is checked against the response schema', async () => {
  const body = { 'application/problem+json': z.object({ code: z.int() }) }
  const answers = { responses: { 404: { description: 'Not found', body } } }
  expect(await violationsOf(answers, answer({ code: 5 }))).toEqual([])
  expect(await violationsOf(answers, answer({ code: 'x' }))).toMatchObject([{ pointer: '/code' }])
})

it.each([
  ['a problem', answer(notFound), []],
  ['another problem', answer({ ...notFound, type: 'about:blank' }), ['undocumented-problem-type']],
  ['the response', answer('gone', 'text/plain'), []],
  ['neither', answer('{}', 'application/json'), ['undocumented-media-type']],
])('the media type decides how a shared status is checked: as %s', async (...row) => {
  const [, response, kinds] = row
  const responses = { 404: { description: 'Not found', body: { 'text/plain': z.string() } } }
  const violations = await violationsOf({ responses, problems: ['notFound'] }, response)
  expect(violations.map(({ kind }) => kind)).toEqual(kinds)
})

import {
  answers,
  type Body,
  bodyOf,
  type Change,
  defineFaults,
  receives,
  replies,
} from '../fault.ts'
import type { Fetch } from '../reference.ts'

/** Ignores a precondition whose value is an entity tag that is not current. */
const ignoresStale = (route: string) =>
  Object.assign(
    (correct: Fetch): Fetch => {
      const inner = receives(route, ({ headers }) => {
        if (!headers.get('If-Match')?.includes('"')) return null
        const rest = new Headers(headers)
        rest.delete('If-Match')
        return { headers: rest }
      })(correct)
      return async (request) => {
        if (!request.headers.has('If-Match')) return correct(request)
        const first = await correct(request.clone())
        return first.status === 412 ? inner(request) : first
      }
    },
    { route },
  )

/** Changes a request of a race: one that arrives while another with the same method is answered. */
function inRace(
  route: string,
  isInRace: (request: Request) => Promise<boolean>,
  change: (request: Request, correct: Fetch) => Promise<Response>,
): Change {
  const [method] = route.split(' ')
  const create = (correct: Fetch): Fetch => {
    let running = 0
    return async (request) => {
      if (request.method !== method) return correct(request)
      // Counted before anything is awaited, so that requests one after another are never in a race.
      const isFirst = running === 0
      running += 1
      try {
        const isMeant = !isFirst && (await isInRace(request.clone()))
        return await (isMeant ? change(request, correct) : correct(request))
      } finally {
        running -= 1
      }
    }
  }
  return Object.assign(create, { route })
}

/** Sends a request without its precondition, or with another body. */
async function resend(
  request: Request,
  correct: Fetch,
  change: (headers: Headers, body: Body) => Body,
): Promise<Response> {
  const headers = new Headers(request.headers)
  const body = JSON.stringify(change(headers, await request.json()))
  return correct(new Request(request.url, { method: request.method, headers, body }))
}

/** Whether the PATCH changes one of the attributes. */
const patched =
  (attribute: RegExp) =>
  async (request: Request): Promise<boolean> => {
    const { Operations } = await bodyOf(request)
    return attribute.test(Operations?.[0]?.path)
  }

/** Reads the resource instead of changing it. */
const loses = (request: Request, correct: Fetch): Promise<Response> =>
  correct(new Request(request.url, { headers: new Headers(request.headers) }))

/** A PATCH keeps the entity tag of a user. */
const keepsTags = (): Change => {
  const tags = new Map<string, string>()
  const patched = new Map<string, string>()
  return answers('* /Users/:id', ({ status, headers, body }, { method, path }) => {
    const tag = headers.get('ETag')
    if (method === 'PATCH' && tags.has(path)) patched.set(path, tags.get(path) ?? '')
    if (method === 'PUT') patched.delete(path)
    if (method === 'GET' && tag !== null && !patched.has(path)) tags.set(path, tag)
    const old = patched.get(path)
    if (old === undefined || status !== 200) return false
    headers.set('ETag', old)
    if (body?.meta?.version !== undefined) body.meta.version = old
    return true
  })
}

export const CONCURRENCY_FAULTS = defineFaults([
  { check: 'concurrency.patched-tag', fault: keepsTags() },
  {
    check: 'concurrency.optional',
    fault: replies('PUT /Users/:id', ({ headers }) =>
      headers.get('If-Match') === null
        ? { status: 428, body: { detail: 'If-Match is required' } }
        : null,
    ),
  },
  { check: 'concurrency.stale-put', fault: ignoresStale('PUT /Users/:id') },
  { check: 'concurrency.stale-patch', fault: ignoresStale('PATCH /Users/:id') },
  { check: 'concurrency.stale-delete', fault: ignoresStale('DELETE /Users/:id') },
  {
    check: 'concurrency.current-put',
    fault: replies('PUT /Users/:id', ({ headers }) =>
      headers.get('If-Match')?.startsWith('W/') ? { status: 412, body: {} } : null,
    ),
  },
  {
    check: 'concurrency.any-version',
    fault: replies('PUT /Users/:id', ({ headers }) =>
      headers.get('If-Match') === '*' ? { status: 412, body: {} } : null,
    ),
  },
  {
    check: 'concurrency.not-modified',
    fault: answers('GET /Users/:id', (answer, { headers }) => {
      if (headers.has('If-None-Match') && answer.status === 304) answer.status = 412
    }),
  },
  {
    check: 'concurrency.modified',
    fault: replies('GET /Users/:id', ({ headers }) =>
      /"1\D?/.test(headers.get('If-None-Match') ?? '') ? { status: 304 } : null,
    ),
  },
  {
    check: 'concurrency.stable-tag',
    fault: answers('GET /Users/:id', ({ body, headers }) => {
      if (body?.meta?.version === undefined) return
      body.meta.version = `W/"${crypto.randomUUID()}"`
      headers.set('ETag', body.meta.version)
    }),
  },
  {
    check: 'concurrency.racing-creates',
    fault: inRace(
      'POST /Users',
      async (request) => request.url.endsWith('/Users'),
      (request, correct) =>
        resend(request, correct, (_, body) => ({ ...body, userName: crypto.randomUUID() })),
    ),
  },
  {
    check: 'concurrency.racing-replaces',
    fault: inRace(
      'PUT /Users/:id',
      async ({ headers }) => headers.has('If-Match'),
      (request, correct) =>
        resend(request, correct, (headers, body) => {
          headers.delete('If-Match')
          return body
        }),
    ),
  },
  {
    check: 'concurrency.racing-patches',
    fault: inRace('PATCH /Users/:id', patched(/^(displayName|title)$/), loses),
  },
  {
    check: 'concurrency.racing-members',
    fault: inRace('PATCH /Groups/:id', patched(/^members$/), loses),
  },
])

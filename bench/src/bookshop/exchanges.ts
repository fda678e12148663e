import type { Answered, Sent, Started } from './contenders.ts'

/** A request, and the answer HTTP and the bookshop's description require. */
export interface Exchange {
  readonly what: string
  readonly expected: string
  /** The operation's path in the document; absent if the request does not belong to one. */
  readonly operation?: '/books' | '/books/{id}' | '/books/{id}/purchases'
  /** Returns the request, given the path to a book with one copy. */
  readonly sent: (book: string) => Sent
  /** Sends the request first, and then again for the answer. */
  readonly isRepeated?: true
  readonly isRight: (answer: Answered, started: Started) => boolean | Promise<boolean>
}

export const OWNER: Readonly<Record<string, string>> = { Authorization: 'Bearer secret' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const NEW_BOOK = { title: 'Emma', stock: 1 }

export const EXCHANGES: readonly Exchange[] = [
  {
    what: '`GET /books`',
    expected: '200, the first 20 books',
    operation: '/books',
    sent: () => ({ method: 'GET', path: '/books' }),
    isRight: ({ status, text }) => status === 200 && lengthOf(text) === 20,
  },
  {
    what: '`GET /books?limit=2`',
    expected: '200, two books',
    operation: '/books',
    sent: () => ({ method: 'GET', path: '/books?limit=2' }),
    isRight: ({ status, text }) => status === 200 && lengthOf(text) === 2,
  },
  {
    what: '`GET /books?limit=many`',
    expected: '400 or 422',
    operation: '/books',
    sent: () => ({ method: 'GET', path: '/books?limit=many' }),
    isRight: isInvalid,
  },
  {
    what: '`GET` of a book',
    expected: '200, the book',
    operation: '/books/{id}',
    sent: (path) => ({ method: 'GET', path }),
    isRight: ({ status, text }) => status === 200 && memberOf(text, 'title') === 'Emma',
  },
  {
    what: '`GET` of an unknown book',
    expected: '404 in JSON',
    operation: '/books/{id}',
    sent: () => ({ method: 'GET', path: '/books/unknown' }),
    isRight: (answer) => answer.status === 404 && isJson(answer),
  },
  {
    // RFC 9110 §9.1: all general-purpose servers must support GET and HEAD.
    what: '`HEAD` of a book',
    expected: '200 without a body',
    sent: (path) => ({ method: 'HEAD', path }),
    isRight: ({ status, text }) => status === 200 && text === '',
  },
  {
    // RFC 9110 §15.3.2
    what: '`POST /books`',
    expected: '201, the book, `Location`',
    operation: '/books',
    sent: () => post(JSON.stringify(NEW_BOOK)),
    isRight: async ({ status, headers, text }, { send }) => {
      const path = headers.get('Location') ?? ''
      const found = status === 201 ? await send({ method: 'GET', path }) : null
      return found !== null && memberOf(found.text, 'id') === memberOf(text, 'id')
    },
  },
  {
    what: '`POST` of a text as stock',
    expected: '400 or 422',
    operation: '/books',
    sent: () => post(JSON.stringify({ ...NEW_BOOK, stock: '1' })),
    isRight: isInvalid,
  },
  {
    what: '`POST` of malformed JSON',
    expected: '400',
    operation: '/books',
    sent: () => post('{"title":'),
    isRight: ({ status }) => status === 400,
  },
  {
    // RFC 9110 §15.5.16
    what: '`POST` of `text/plain`',
    expected: '415',
    operation: '/books',
    sent: () => ({ ...post('Emma'), headers: { ...OWNER, 'Content-Type': 'text/plain' } }),
    isRight: ({ status }) => status === 415,
  },
  {
    // RFC 9110 §15.5.2 and RFC 6750 §3: a 401 has a challenge.
    what: '`POST` without a token',
    expected: '401, `WWW-Authenticate: Bearer`',
    operation: '/books',
    sent: () => ({ ...post(JSON.stringify(NEW_BOOK)), headers: JSON_BODY }),
    isRight: isChallenge,
  },
  {
    what: '`POST` with a wrong token',
    expected: '401, `WWW-Authenticate: Bearer`',
    operation: '/books',
    sent: () => {
      const headers = { ...JSON_BODY, Authorization: 'Bearer wrong' }
      return { ...post(JSON.stringify(NEW_BOOK)), headers }
    },
    isRight: isChallenge,
  },
  {
    what: '`PUT` of a book',
    expected: '200, the new book',
    operation: '/books/{id}',
    sent: (path) => put(path, { title: 'Persuasion', stock: 2 }),
    isRight: ({ status, text }) => status === 200 && memberOf(text, 'title') === 'Persuasion',
  },
  {
    // RFC 9110 §15.3.5
    what: '`DELETE` of a book',
    expected: '204 without a body or a media type',
    operation: '/books/{id}',
    sent: (path) => ({ method: 'DELETE', path, headers: OWNER }),
    isRight: ({ status, headers, text }) =>
      status === 204 && text === '' && !headers.has('Content-Type'),
  },
  {
    what: '`POST` of a second purchase',
    expected: '409 in JSON',
    operation: '/books/{id}/purchases',
    sent: (path) => ({ method: 'POST', path: `${path}/purchases`, headers: OWNER }),
    isRepeated: true,
    isRight: (answer) => answer.status === 409 && isJson(answer),
  },
  {
    // RFC 9110 §15.5.6: a 405 lists the resource's methods.
    what: '`PATCH` of a book',
    expected: '405, `Allow: GET, PUT, DELETE`',
    sent: (path) => ({ method: 'PATCH', path, headers: OWNER }),
    isRight: ({ status, headers }) => status === 405 && isAllowing(headers),
  },
  {
    // RFC 9110 §9.3.7
    what: '`OPTIONS` of a book',
    expected: '200 or 204, `Allow: GET, PUT, DELETE`',
    sent: (path) => ({ method: 'OPTIONS', path }),
    isRight: ({ status, headers }) => (status === 200 || status === 204) && isAllowing(headers),
  },
]

/** A request that adds a book. */
export function post(body: string = JSON.stringify(NEW_BOOK)): Sent {
  return { method: 'POST', path: '/books', headers: { ...OWNER, ...JSON_BODY }, body }
}

/** A request that replaces a book. */
export function put(path: string, book: typeof NEW_BOOK): Sent {
  const headers = { ...OWNER, ...JSON_BODY }
  return { method: 'PUT', path, headers, body: JSON.stringify(book) }
}

/** The verdict about an answer: `right`, or the answer. */
export async function judge(exchange: Exchange, started: Started): Promise<Judged> {
  const added = await started.send(post())
  const book = `/books/${memberOf(added.text, 'id')}`
  const sent = exchange.sent(book)
  if (exchange.isRepeated) await started.send(sent)
  const answer = await started.send(sent)
  const isRight = await exchange.isRight(answer, started)
  return {
    isRight,
    verdict: isRight ? 'right' : shortOf(answer),
    isDeclared: isDeclared(exchange, sent, answer, started.document),
  }
}

export interface Judged {
  readonly isRight: boolean
  readonly verdict: string
  /** Whether the program's document declares the status; null if the request does not belong to an operation. */
  readonly isDeclared: boolean | null
}

function isDeclared(
  { operation }: Exchange,
  { method }: Sent,
  { status }: Answered,
  document: unknown,
): boolean | null {
  if (operation === undefined) return null
  const path = Object(Object(Object(document).paths)[operation])
  const responses = Object(Object(path[method.toLowerCase()]).responses)
  return [String(status), `${String(status)[0]}XX`, 'default'].some((key) =>
    Object.hasOwn(responses, key),
  )
}

function shortOf({ status, headers }: Answered): string {
  const missing = status === 401 ? 'WWW-Authenticate' : status === 405 ? 'Allow' : null
  if (missing !== null && !headers.has(missing)) return `${status} without ${missing}`
  const type = headers.get('Content-Type')?.split(';', 1)[0] ?? 'no media type'
  return `${status}, ${type}`
}

function isInvalid({ status }: Answered): boolean {
  return status === 400 || status === 422
}

function isChallenge({ status, headers }: Answered): boolean {
  return status === 401 && /^bearer\b/i.test(headers.get('WWW-Authenticate') ?? '')
}

function isAllowing(headers: Headers): boolean {
  const allowed = (headers.get('Allow') ?? '').split(/,\s*/)
  return ['GET', 'PUT', 'DELETE'].every((method) => allowed.includes(method))
}

function isJson({ headers, text }: Answered): boolean {
  const type = headers.get('Content-Type') ?? ''
  return /^application\/(?:[\w.-]+\+)?json\b/.test(type) && typeof read(text) === 'object'
}

function lengthOf(text: string): number {
  const list = read(text)
  return Array.isArray(list) ? list.length : -1
}

/** Returns a JSON object's member; undefined if the text is not an object. */
export function memberOf(text: string, name: string): unknown {
  return Object(read(text))[name]
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

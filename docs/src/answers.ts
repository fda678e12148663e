import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'

/** A request rejected by a SCIM endpoint. */
interface Rejected {
  readonly method?: string
  readonly path: string
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
}

/** Collects, for each SCIM endpoint error, a request causing it and the answer. */
export async function scimAnswers(): Promise<Map<string, string>> {
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const groups = memoryStore({ definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } })
  const users = memoryStore({ definitions, groups })
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    base: 'https://example.com/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async () => ({}),
    limits: { body: 10_000 },
  })
  const send = async ({ method = 'GET', path, body, headers = {} }: Rejected) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    return await fetch(
      new Request(`https://example.com/scim/v2${path}`, {
        method,
        headers: { 'Content-Type': 'application/scim+json', ...headers },
        ...(text === undefined ? {} : { body: text }),
      }),
    )
  }
  const created = await send({ method: 'POST', path: '/Users', body: { userName: 'ada' } })
  const { id } = (await created.json()) as { id: string }
  const answers = new Map<string, string>()
  for (const [name, rejected] of Object.entries(REJECTED)) {
    const path = rejected.path.replace('{id}', id)
    const answer = await send({ ...rejected, path })
    const { detail, scimType } = (await answer.json()) as { detail: string; scimType?: string }
    const code = scimType === undefined ? String(answer.status) : `${answer.status} ${scimType}`
    if (code !== name) throw new Error(`expected ${name}, found ${code}: ${detail}`)
    answers.set(name, `${requestText(rejected)}\n\n${code}\n${detail}`)
  }
  return answers
}

function requestText({ method = 'GET', path, body, headers = {} }: Rejected): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const shown =
    text === undefined ? [] : ['', text.length > 1_000 ? `${text.slice(0, 60)} …` : text]
  return [`${method} ${decodeURIComponent(path).replace('{id}', '7')}`, ...lines, ...shown].join(
    '\n',
  )
}

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A PATCH with one operation. */
function patch(operation: object): Rejected {
  return {
    method: 'PATCH',
    path: '/Users/{id}',
    body: { schemas: [PATCH], Operations: [operation] },
  }
}

const REJECTED: Readonly<Record<string, Rejected>> = {
  '400 invalidSyntax': { method: 'POST', path: '/Users', body: '{"userName": "ada"' },
  '400 invalidFilter': { path: `/Users?filter=${encodeURIComponent('userName eq ada')}` },
  '400 invalidPath': patch({ op: 'replace', path: 'emails[type', value: 'a' }),
  '400 invalidValue': {
    method: 'POST',
    path: '/Users',
    body: { userName: 'bob', active: 'maybe' },
  },
  '400 invalidCount': { path: '/Users?cursor&count=0' },
  '400 noTarget': patch({
    op: 'replace',
    path: 'emails[type eq "work"].value',
    value: 'a@b.example',
  }),
  '400 mutability': patch({ op: 'replace', path: 'id', value: 'a' }),
  '413': { method: 'POST', path: '/Users', body: { userName: 'a'.repeat(20_000) } },
  '415': {
    method: 'POST',
    path: '/Users',
    body: 'userName=ada',
    headers: { 'Content-Type': 'text/plain' },
  },
  '400 invalidCursor': { path: '/Users?cursor=abc' },
  '409 uniqueness': { method: 'POST', path: '/Users', body: { userName: 'ADA' } },
  '404': { path: '/Users/7' },
  '412': { method: 'DELETE', path: '/Users/{id}', headers: { 'If-Match': 'W/"old"' } },
}

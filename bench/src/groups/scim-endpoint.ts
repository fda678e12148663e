import { MEDIA_TYPE, PATCH_OP_SCHEMA } from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  memoryStore,
  type OnChange,
} from '@plumbline/scim/endpoint'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { user } from '../users.ts'

const USERS = 1_000
const BASE = 'https://example.com/scim/v2'
const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

/** A client request, and the answer parts both must return. */
interface Exchange {
  readonly what: string
  /** The request for the user with this number. */
  readonly request: (number: number, ids: readonly string[]) => Sent
  /** The same request for scimmy, with the answer as JSON. */
  readonly peer: (number: number) => Promise<string>
  readonly answer: (json: string) => unknown
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
}

const EXCHANGES: readonly Exchange[] = [
  {
    what: 'Read by id',
    request: (number, ids) => ({ method: 'GET', path: `/Users/${ids[number]}` }),
    peer: async (number) => JSON.stringify(await new SCIMMY.Resources.User(peerId(number)).read()),
    answer: (json) => JSON.parse(json).emails,
  },
  {
    what: 'Match by userName',
    request: (number) => ({
      method: 'GET',
      path: `/Users?filter=${encodeURIComponent(filterFor(number))}`,
    }),
    peer: async (number) =>
      JSON.stringify(
        await new SCIMMY.Resources.User({ filter: filterFor(number) } as never).read(),
      ),
    answer: (json) => namesIn(json),
  },
  {
    what: 'PATCH one scalar',
    request: (number, ids) => ({
      method: 'PATCH',
      path: `/Users/${ids[number]}`,
      body: patchOf(),
    }),
    peer: async (number) => {
      const resource = new SCIMMY.Resources.User(peerId(number))
      return JSON.stringify(await resource.patch(JSON.parse(patchOf())))
    },
    answer: (json) => String(JSON.parse(json).title).startsWith('Engineer '),
  },
  {
    what: 'A page of 100',
    request: () => ({ method: 'GET', path: '/Users?startIndex=101&count=100' }),
    peer: async () =>
      JSON.stringify(
        await new SCIMMY.Resources.User({ startIndex: 101, count: 100 } as never).read(),
      ),
    answer: (json) => namesIn(json),
  },
]

/** Compares whole endpoint requests with calls to the popular package, without HTTP. */
export async function run(): Promise<void> {
  const { send, ids } = await serve()
  preparePeer()
  for (const { what, request, peer, answer } of EXCHANGES) {
    const numbers = [createNumbers(), createNumbers()] as const
    await compare(
      `${what}, ${USERS} users in memory`,
      [
        {
          name: '@plumbline/scim/endpoint, from Request to the text of the response',
          run: () => send(request(numbers[0](), ids)),
          answer,
        },
        { name: 'scimmy, without HTTP', run: () => peer(numbers[1]()), answer },
      ],
      { budgets: [{ against: 'scimmy, without HTTP', atMost: 1 }], rounds: 7 },
    )
  }
  await compareListener()
}

/** Measures what a listener costs if it keeps one row per change, as an outbox does. */
async function compareListener(): Promise<void> {
  const outbox: string[] = []
  const [heard, plain] = [
    await serve({ onChange: (changes) => void outbox.push(JSON.stringify(changes)) }),
    await serve(),
  ]
  const numbers = [createNumbers(), createNumbers()] as const
  const patch = ({ send, ids }: Served, number: number) =>
    send({ method: 'PATCH', path: `/Users/${ids[number]}`, body: patchOf() })
  const answer = (json: string) => String(JSON.parse(json).title).startsWith('Engineer ')
  await compare(
    `PATCH one scalar with onChange, ${USERS} users in memory`,
    [
      { name: 'with onChange', run: () => patch(heard, numbers[0]()), answer },
      { name: 'without onChange', run: () => patch(plain, numbers[1]()), answer },
    ],
    { budgets: [{ against: 'without onChange', atMost: 1.3 }], rounds: 7 },
  )
}

interface Served {
  readonly send: (sent: Sent) => Promise<string>
  readonly ids: readonly string[]
}

/** Serves the users from memory. */
async function serve({ onChange }: { readonly onChange?: OnChange<object> } = {}): Promise<Served> {
  const store = memoryStore({ definitions })
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === 'Bearer secret' ? {} : null,
    ...(onChange === undefined ? {} : { onChange, transaction: (context, work) => work(context) }),
  })
  const send = async ({ method, path, body }: Sent): Promise<string> => {
    const headers = { Authorization: 'Bearer secret', 'Content-Type': MEDIA_TYPE }
    const request = new Request(`${BASE}${path}`, { method, headers, body: body ?? null })
    return await (await fetch(request)).text()
  }
  const ids: string[] = []
  for (let number = 0; number < USERS; number += 1) {
    const body = JSON.stringify(user(number))
    ids.push(JSON.parse(await send({ method: 'POST', path: '/Users', body })).id)
  }
  return { send, ids }
}

/** Handlers over maps, with the look-up by userName an application writes by hand. */
function preparePeer(): void {
  const byId = new Map(Array.from({ length: USERS }, (_, at) => [peerId(at), user(at)]))
  const byName = new Map([...byId.values()].map((one) => [one.userName.toLowerCase(), one]))
  const all = [...byId.values()]
  SCIMMY.Resources.declare(SCIMMY.Resources.User)
    .extend(SCIMMY.Schemas.EnterpriseUser)
    .egress((resource: { readonly id?: string; readonly filter?: readonly object[] }) => {
      if (resource.id !== undefined) return byId.get(resource.id) as never
      const [, name] = Object(resource.filter?.[0]).userName ?? []
      if (name === undefined) return all as never
      const found = byName.get(String(name).toLowerCase())
      return (found === undefined ? [] : [found]) as never
    })
    .ingress((resource: { readonly id?: string }, instance: object) => {
      const id = resource.id ?? ''
      const changed = { ...byId.get(id), ...instance, id } as ReturnType<typeof user>
      byId.set(id, changed)
      return changed as never
    })
  SCIMMY.Resources.User.basepath(BASE)
}

function peerId(number: number): string {
  return `id-${number}`
}

function filterFor(number: number): string {
  return `userName eq "${user(number).userName}"`
}

let patches = 0
/** A PATCH with a new title, so each changes the user. */
function patchOf(): string {
  patches += 1
  const operation = { op: 'replace', path: 'title', value: `Engineer ${patches}` }
  return JSON.stringify({ schemas: [PATCH_OP_SCHEMA], Operations: [operation] })
}

function namesIn(json: string): unknown {
  const { Resources } = JSON.parse(json)
  return Resources.map(({ userName }: { readonly userName: string }) => userName)
}

/** Returns user numbers in the same order each time. */
function createNumbers(): () => number {
  let turn = 0
  return () => (turn++ * 7_919) % USERS
}

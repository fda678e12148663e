import { createToken } from '../../../apps/directory/src/kernel/access/token-store.ts'
import { compare } from '../compare.ts'
import { ask, type Setting } from './setting.ts'

/** Compares console pages with the requests to other endpoints they are made from. */
export async function consolePages(setting: Setting): Promise<void> {
  const { what, users } = setting
  const token = await adminToken(setting)
  const open = await signIn(setting, token)
  const list =
    'count=50&cursor=&attributes=userName,displayName,emails,active,externalId,meta.lastModified'
  const [person] = Object((await ask(setting, 'GET', '/Users?count=1')).Resources)
  const { id, userName } = person as { readonly id: string; readonly userName: string }
  const rows = [
    {
      page: '/console/tenants/default/users',
      queries: [`/scim/v2/Users?${list}&sortBy=userName`, TENANT],
      shown: 50,
    },
    {
      page: `/console/tenants/default/users?by=email&q=${userName}`,
      queries: [`/scim/v2/Users?${list}&filter=emails.value sw "${userName}"`, TENANT],
      shown: 1,
    },
    {
      page: '/console/tenants',
      queries: ['/api/tenants?summary=true&count=50'],
      shown: 1,
    },
    {
      page: `/console/tenants/default/users/${id}`,
      queries: [
        `/scim/v2/Users/${id}`,
        `/scim/v2/Groups?count=50&cursor=&attributes=displayName&filter=members.value eq "${id}"`,
        TENANT,
        `/api/requests?tenantId=default&user=${id}`,
      ],
      shown: null,
    },
  ]
  for (const { page, queries, shown } of rows) {
    const title = page.replace(id, '{id}').replace(userName, '{email}')
    await compare(
      `The page ${title}, ${users} users, in process, ${what}`,
      [
        { name: 'the page', run: () => open(page), answer: (text: string) => rowsIn(text, shown) },
        {
          name: 'its queries',
          run: () => Promise.all(queries.map((path) => send(setting, path, token, setting.token))),
          answer: (texts: readonly string[]) => resourcesIn(texts[0] ?? '', shown),
        },
      ],
      { budgets: [{ against: 'its queries', atMost: 3 }] },
    )
  }
}

/** The tenant, which every tenant page reads. */
const TENANT = '/api/tenants/default'

/** Counts the rows in a page's table; null for a page without a list. */
function rowsIn(text: string, shown: number | null): number | null {
  return shown === null ? null : text.split('<tr').length - 2
}

/** Counts the resources or tenants in a JSON text; null for a single resource. */
function resourcesIn(text: string, shown: number | null): number | null {
  const { Resources, tenants } = JSON.parse(text)
  return shown === null ? null : (Resources ?? tenants).length
}

async function adminToken({ store }: Setting): Promise<string> {
  const about = { tenantId: null, name: 'bench', role: 'admin', profile: 'standard' } as const
  return (await store.write((db) => createToken(db, { ...about, now: Date.now() }))).text
}

/** Signs in to the console, and returns a function that opens console pages. */
async function signIn(
  { directory }: Setting,
  token: string,
): Promise<(path: string) => Promise<string>> {
  const origin = 'http://localhost'
  const signedIn = await directory.fetch(
    new Request(`${origin}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { Origin: origin },
    }),
  )
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async (path) => {
    const request = new Request(`${origin}${path}`, { headers: { Cookie: cookie } })
    return await textOf(await directory.fetch(request), path)
  }
}

/** Sends a request in process: SCIM requests with the tenant's token, others with the administrator's. */
async function send(
  { directory }: Setting,
  path: string,
  admin: string,
  tenant: string,
): Promise<string> {
  const token = path.startsWith('/scim/') ? tenant : admin
  const request = new Request(`http://localhost${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return await textOf(await directory.fetch(request), path)
}

async function textOf(response: Response, path: string): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return text
}

/** Serves users and groups in memory with scimmy-routers on Express, as their documentation teaches. */
import express from 'express'
import SCIMMY from 'scimmy'
import ScimmyRouters from 'scimmy-routers'
import { TOKEN } from './token.ts'

type Row = Record<string, unknown> & { readonly id: string }

/** The members scimmy passes to its handlers. */
interface Wanted {
  readonly id?: string
  readonly filter?: { match(rows: readonly Row[]): readonly Row[] }
}

/** Declares a resource type with handlers over a map. Names are unique in any letter case. */
function declare(type: typeof SCIMMY.Resources.User, name: string): void {
  const rows = new Map<string, Row>()
  const find = (id: string): Row => {
    const found = rows.get(id)
    if (found === undefined) throw new SCIMMY.Types.Error(404, '', 'not found')
    return found
  }
  SCIMMY.Resources.declare(type as never)
  type
    .ingress(((resource: Wanted, data: Record<string, unknown>) => {
      const id = resource.id ?? crypto.randomUUID()
      const created = resource.id === undefined ? new Date() : Object(find(id).meta).created
      const same = (row: Row): boolean =>
        row.id !== id && String(row[name]).toLowerCase() === String(data[name]).toLowerCase()
      if ([...rows.values()].some(same)) {
        throw new SCIMMY.Types.Error(409, 'uniqueness', 'already exists')
      }
      rows.set(id, { ...data, id, meta: { created, lastModified: new Date() } })
      return find(id)
    }) as never)
    .egress(((resource: Wanted) => {
      if (resource.id !== undefined) return find(resource.id)
      const all = [...rows.values()]
      return resource.filter?.match(all) ?? all
    }) as never)
    .degress(((resource: Wanted) => {
      find(resource.id ?? '')
      rows.delete(resource.id ?? '')
    }) as never)
}

declare(SCIMMY.Resources.User, 'userName')
declare(SCIMMY.Resources.Group as never, 'displayName')
SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser)
const app = express()
const routers = new ScimmyRouters({
  type: 'bearer',
  handler: (request: express.Request) => {
    if (request.header('Authorization') !== `Bearer ${TOKEN}`) throw new Error('not authorized')
    return ''
  },
} as never)
// Express 5 parses the query at each access. The routers store numbers in it, so it must be one object, as in Express 4.
app.use((request, _response, next) => {
  Object.defineProperty(request, 'query', { value: { ...request.query } })
  next()
})
app.use('/scim/v2', routers)
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${Object(server.address()).port}/scim/v2`)
})

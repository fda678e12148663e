import { unwrap } from '@plumbline/result'
import { parseListQuery } from '@plumbline/scim'
import { writeCursor } from '@plumbline/scim/internal'
import { cursorQuery } from '../../../apps/directory/src/features/scim/list/cursor-query.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { compare } from '../compare.ts'
import { ask, type Setting } from './setting.ts'

const COUNT = 100

/** Times a page by cursor at the list's start and end. */
export async function pages(setting: Setting): Promise<void> {
  const { what, users } = setting
  for (const sortBy of ['id', 'userName']) {
    const first = await pathAt(setting, sortBy, COUNT)
    const last = await pathAt(setting, sortBy, users - 2 * COUNT)
    const read = (path: string) => async () => {
      const { Resources } = await ask(setting, 'GET', path)
      return Object(Resources).length
    }
    await compare(
      `A page of ${COUNT} by cursor, of ${users} users by ${sortBy}, in process, ${what}`,
      [
        { name: 'at the end', run: read(last) },
        { name: 'at the start', run: read(first) },
      ],
      { budgets: [{ against: 'at the start', atMost: 1.5 }] },
    )
  }
}

/** The query for the page after this many users. The cursor is created without reading the pages before. */
async function pathAt(setting: Setting, sortBy: string, behind: number): Promise<string> {
  const { store, users } = setting
  const isNear = behind < users / 2
  const order = isNear ? 'ascending' : 'descending'
  const startIndex = isNear ? behind : users - behind
  const at = `/Users?sortBy=${sortBy}&sortOrder=${order}&startIndex=${startIndex}&count=1`
  const [resource] = Object((await ask(setting, 'GET', at)).Resources)
  const key = sortBy === 'id' ? null : String(resource.userName).toLowerCase()
  const path = `/Users?sortBy=${sortBy}&count=${COUNT}&cursor=`
  const query = unwrap(parseListQuery(new URL(path, 'http://localhost')))
  const place = { isForward: true, isInclusive: false, id: String(resource.id), key }
  const scope = { tenantId: DEFAULT_TENANT, now: Date.now() }
  return (
    path +
    (await store.read((db) => writeCursor(cursorQuery({ ...scope, db }, 'User', query), place)))
  )
}

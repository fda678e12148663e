import { unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '../../constants.ts'
import { ScimError } from '../../error.ts'
import { applyPatch } from '../../patch/apply.ts'
import { parsePatch } from '../../patch/parse.ts'
import { parseGroup } from '../../resource/group.ts'
import { parseUser } from '../../resource/user.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../../schema/core-schemas.ts'
import type { Call, Execute } from '../types.ts'

type Resource = Record<string, unknown>

/** An in-memory service provider, for bulk tests. */
export interface Store {
  readonly execute: Execute
  /** The requests it received. */
  readonly calls: readonly Call[]
  /** By id. Ids are numbers in creation order. */
  readonly resources: ReadonlyMap<string, Resource>
  /** Finds the resource with this userName or displayName. */
  readonly named: (name: string) => Resource | undefined
}

export function createStore(): Store {
  const calls: Call[] = []
  const resources = new Map<string, Resource>()
  let writes = 0

  const write = (collection: string, id: string, resource: object, status: number) => {
    if (collection === 'Groups') unwrap(parseGroup(resource))
    else unwrap(parseUser(resource))
    resources.set(id, { ...resource, id })
    writes += 1
    const location = `https://example.com/v2/${collection}/${id}`
    return { status, location, version: `W/"${writes}"` }
  }
  const execute: Execute = async (call) => {
    calls.push(call)
    const [, collection = '', id = ''] = call.path.split('/')
    if (call.method === 'POST') {
      return write(collection, String(resources.size + 1), call.data ?? {}, 201)
    }
    const stored = resources.get(id)
    if (stored === undefined) throw new ScimError(404, `${call.path} not found`)
    if (call.method === 'PUT') return write(collection, id, call.data ?? {}, 200)
    if (call.method === 'PATCH') return write(collection, id, patched(stored, call), 200)
    resources.delete(id)
    return { status: 204 }
  }
  const named = (name: string) =>
    [...resources.values()].find(({ userName, displayName }) => (userName ?? displayName) === name)
  return { execute, calls, resources, named }
}

function patched(stored: Resource, { path, data }: Call): Resource {
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], ...data }))
  const definitions = path.startsWith('/Groups') ? groups : users
  return unwrap(applyPatch(stored, operations, { definitions }))
}

const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
const users = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

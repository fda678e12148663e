import { listResponse, parseUser, type Scim } from '@plumbline/scim'
import { parsePatch } from '@plumbline/scim/patch'
import { isLookUp } from '../store/list/indexed-lookup.ts'
import {
  createUser,
  deleteUser,
  listUsers,
  patchUser,
  readUser,
  replaceUser,
  USER_DEFINITIONS,
} from '../store/users.ts'
import { accepted, type ScimHandler, type ScimRequest } from './endpoint.ts'
import { queryOf, searchOf } from './queries.ts'
import { heldResponse, readResponse, resourceResponse } from './respond.ts'

/** Returns the id of the user that a request is about; for `/Me` it is the user of the token. */
export type UserIdOf = (request: ScimRequest) => string

const idOf: UserIdOf = ({ params }) => params.id ?? ''

export const createUserHandler: ScimHandler = async (scim) => {
  const query = queryOf(scim, USER_DEFINITIONS)
  const user = accepted(parseUser(await scim.body()))
  const wire = await scim.write((scope) => createUser(scope, user))
  return resourceResponse(wire, query, USER_DEFINITIONS, { status: 201 })
}

export const listUsersHandler: ScimHandler = async (scim) =>
  await list(scim, queryOf(scim, USER_DEFINITIONS))

export const searchUsersHandler: ScimHandler = async (scim) =>
  await list(scim, await searchOf(scim, USER_DEFINITIONS))

export function readUserHandler(userId: UserIdOf = idOf): ScimHandler {
  return async (scim) => {
    const query = queryOf(scim, USER_DEFINITIONS)
    const user = await scim.read((scope) => readUser(scope, userId(scim), query))
    return await heldResponse(readResponse(scim.request, user), user.size, scim.hold)
  }
}

export function replaceUserHandler(userId: UserIdOf = idOf): ScimHandler {
  return async (scim) => {
    const query = queryOf(scim, USER_DEFINITIONS)
    const user = accepted(parseUser(await scim.body()))
    const wire = await scim.write((scope) => replaceUser(scope, userId(scim), scim.check, user))
    return resourceResponse(wire, query, USER_DEFINITIONS)
  }
}

export function patchUserHandler(userId: UserIdOf = idOf): ScimHandler {
  return async (scim) => {
    const query = queryOf(scim, USER_DEFINITIONS)
    const tolerate = scim.rules.tolerateBody
    const operations = accepted(parsePatch(await scim.body(), { tolerate }))
    const wire = await scim.write((scope) => patchUser(scope, userId(scim), scim.check, operations))
    return resourceResponse(wire, query, USER_DEFINITIONS)
  }
}

export function deleteUserHandler(userId: UserIdOf = idOf): ScimHandler {
  return async (scim) => {
    await scim.write((scope) => deleteUser(scope, userId(scim), scim.check))
    return new Response(null, { status: 204 })
  }
}

async function list({ read, scan, hold }: ScimRequest, query: Scim.ListQuery): Promise<Response> {
  const run = isLookUp(query, 'User') ? read : scan
  const page = await run((scope) => listUsers(scope, query))
  const size = page.resources.reduce((sum, one) => sum + one.size, 0)
  return await heldResponse(
    listResponse(page, ({ body }) => body),
    size,
    hold,
  )
}

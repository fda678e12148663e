import { listResponse, matchesVersion, parseGroup, project, type Scim } from '@plumbline/scim'
import { parsePatch } from '@plumbline/scim/patch'
import {
  type GroupInPieces,
  listGroupsInPieces,
  readGroupInPieces,
} from '../store/groups/stream-members.ts'
import {
  createGroup,
  deleteGroup,
  GROUP_DEFINITIONS,
  listGroups,
  patchGroup,
  replaceGroup,
  wantsMembers,
} from '../store/groups.ts'
import { isLookUp } from '../store/list/indexed-lookup.ts'
import type { WireResource } from '../store/list/list.ts'
import { accepted, type ScimHandler, type ScimRequest, versionOf } from './endpoint.ts'
import { queryOf, searchOf } from './queries.ts'
import {
  headersOf,
  heldResponse,
  locationOf,
  pageInPiecesResponse,
  piecesResponse,
  readResponse,
  resourceResponse,
} from './respond.ts'

export const createGroupHandler: ScimHandler = async (scim) => {
  const query = queryOf(scim, GROUP_DEFINITIONS)
  const group = accepted(parseGroup(await scim.body()))
  const wire = await scim.write((scope) => createGroup(scope, group))
  return resourceResponse(wire, query, GROUP_DEFINITIONS, { status: 201 })
}

export const listGroupsHandler: ScimHandler = async (scim) =>
  await list(scim, queryOf(scim, GROUP_DEFINITIONS))

export const searchGroupsHandler: ScimHandler = async (scim) =>
  await list(scim, await searchOf(scim, GROUP_DEFINITIONS))

export const readGroupHandler: ScimHandler = async (scim) => {
  const query = queryOf(scim, GROUP_DEFINITIONS)
  const { request } = scim
  const isNew = (current: WireResource): boolean => matchesVersion(request, versionOf(current))
  const { wire, pieces } = await inPieces(scim, query, isNew)
  return pieces === null
    ? readResponse(request, {
        body: project(wire, query, GROUP_DEFINITIONS),
        version: versionOf(wire),
        location: locationOf(wire),
      })
    : piecesResponse(pieces, scim.hold, headersOf(wire))
}

export const replaceGroupHandler: ScimHandler = async (scim) => {
  const { params, body, write, check } = scim
  const query = queryOf(scim, GROUP_DEFINITIONS)
  const group = accepted(parseGroup(await body()))
  const wire = await write((scope) => replaceGroup(scope, params.id ?? '', check, group))
  return resourceResponse(wire, query, GROUP_DEFINITIONS)
}

export const patchGroupHandler: ScimHandler = async (scim) => {
  const { params, body, write, check, rules } = scim
  const query = queryOf(scim, GROUP_DEFINITIONS)
  const operations = accepted(parsePatch(await body(), { tolerate: rules.tolerateBody }))
  await write((scope) => patchGroup(scope, params.id ?? '', check, operations))
  // RFC 7644 §3.5.2: 204 unless the client names attributes; a group may be very large.
  if (query.attributes === undefined) return new Response(null, { status: 204 })
  const { wire, pieces } = await inPieces(scim, query)
  return pieces === null
    ? resourceResponse(wire, query, GROUP_DEFINITIONS)
    : piecesResponse(pieces, scim.hold, headersOf(wire))
}

export const deleteGroupHandler: ScimHandler = async ({ params, write, check }) => {
  await write((scope) => deleteGroup(scope, params.id ?? '', check))
  return new Response(null, { status: 204 })
}

/** Answers with a page of groups. Their members are kept in memory only as JSON strings. */
async function list({ read, scan, hold }: ScimRequest, query: Scim.ListQuery): Promise<Response> {
  if (!wantsMembers(query)) {
    const run = isLookUp(query, 'Group') ? read : scan
    const page = await run((scope) => listGroups(scope, query))
    const response = listResponse(page, (wire) => project(wire, query, GROUP_DEFINITIONS))
    return await heldResponse(response, page.resources.length * LARGEST_ROW, hold)
  }
  const page = await scan((scope) =>
    listGroupsInPieces(scope, query, (current) => project(current, query, GROUP_DEFINITIONS)),
  )
  return pageInPiecesResponse(page, hold)
}

/** A group with the attributes that the client wants; if they include members, as pieces of JSON. */
async function inPieces(
  { params, read, scan }: ScimRequest,
  query: Scim.ListQuery,
  isWanted: (current: WireResource) => boolean = () => true,
): Promise<GroupInPieces> {
  const run = wantsMembers(query) ? scan : read
  return await run((scope) =>
    readGroupInPieces(scope, params.id ?? '', {
      isWanted: (current) => wantsMembers(query) && isWanted(current),
      show: (current) => project(current, query, GROUP_DEFINITIONS),
    }),
  )
}

/** The maximum length of a group's JSON without its members, in bytes. */
const LARGEST_ROW = 8_000

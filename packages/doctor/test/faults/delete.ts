import { answers, type Body, bodyOf, type Change, defineFaults, replies } from '../fault.ts'

export const DELETE_FAULTS = defineFaults([
  {
    check: 'delete.user',
    fault: answers('DELETE /Users/:id', (answer) => {
      if (answer.status === 204) Object.assign(answer, { status: 200, body: {} })
    }),
  },
  {
    check: 'delete.group-members',
    also: { 'declared.others': 'it deletes a group with a member as well' },
    fault: deletesMembers(),
  },
  { check: 'delete.revived', name: 'the new user has the old id', fault: revives('id') },
  {
    check: 'delete.revived',
    name: 'the new user has the old nickName',
    fault: revives('nickName'),
  },
  {
    check: 'delete.read',
    also: {
      'declared.deleted': 'it reads deleted resources of each type as well',
    },
    fault: (correct) => {
      const deleted = new Map<string, string>()
      return async (request) => {
        const { method, url } = request
        const text = deleted.get(url)
        if (method === 'GET' && text !== undefined) return new Response(text)
        if (method === 'DELETE') {
          const { headers } = request
          const read = await correct(new Request(url, { headers: new Headers(headers) }))
          deleted.set(url, await read.text())
        }
        return correct(request)
      }
    },
  },
  {
    check: 'delete.write',
    also: {
      'declared.deleted': 'it replaces deleted resources of each type as well',
    },
    fault: (correct) => {
      const deleted = new Set<string>()
      return async (request) => {
        const { method, url } = request
        if (method === 'DELETE') deleted.add(url)
        if (method === 'PUT' && deleted.has(url)) return Response.json(await request.json())
        return correct(request)
      }
    },
  },
  {
    check: 'delete.again',
    fault: answers('DELETE /Users/:id', (answer, { path }) => {
      if (answer.status === 404 && !path.includes('plumbline')) answer.status = 204
    }),
  },
  {
    check: 'delete.unknown',
    fault: replies('DELETE /Users/:id', ({ path }) =>
      path.includes('plumbline') ? { status: 204 } : null,
    ),
  },
  {
    check: 'delete.list',
    fault: answers('GET /Users', ({ body }, { query }) => {
      const [, userName] = /^userName eq "(plumbline[^"]*)"$/.exec(query.get('filter') ?? '') ?? []
      if (body.totalResults !== 0 || userName === undefined) return
      Object.assign(body, { totalResults: 1, Resources: [{ userName }] })
    }),
  },
  {
    check: 'delete.reuse',
    fault: (correct) => {
      const names = new Set<unknown>()
      return async (request) => {
        if (request.method !== 'POST' || !request.url.endsWith('/Users')) return correct(request)
        const { userName } = await bodyOf(request)
        const isTaken = userName !== undefined && names.has(userName)
        const response = await correct(request)
        if (response.status !== 201) return response
        names.add(userName)
        return isTaken ? Response.json({}, { status: 409 }) : response
      }
    },
  },
])

/** The deletion of a group deletes its members. */
function deletesMembers(): Change {
  return (correct) => async (request) => {
    const { method, url, headers } = request
    const isGroup = method === 'DELETE' && url.includes('/Groups/')
    const read = isGroup ? await correct(new Request(url, { headers })) : null
    const members: readonly Body[] = read?.status === 200 ? ((await read.json()).members ?? []) : []
    // The shared users are members of several groups, whose checks would fail, too.
    const isShared = async (user: string): Promise<boolean> =>
      /"userName":"[^"]*-x\./.test(await (await correct(new Request(user, { headers }))).text())
    for (const { value } of members) {
      if (await isShared(`${url.split('/Groups/')[0]}/Users/${value}`)) continue
      await correct(new Request(`${url.split('/Groups/')[0]}/Users/${value}`, { method, headers }))
    }
    return correct(request)
  }
}

/** A user with the userName of a deleted one is shown with an old value. */
function revives(name: string): Change {
  const known = new Map<string, Body>()
  const revived = new Map<string, Body>()
  return answers('* *', ({ status, body }, sent) => {
    if (status === 201 && sent.path === '/Users') {
      const userName = String(body.userName).toLowerCase()
      const old = known.get(userName)
      if (old !== undefined) revived.set(`/Users/${body.id}`, old)
      known.set(userName, structuredClone(body))
      if (old !== undefined && name === 'id') body.id = old.id
      return true
    }
    const old = sent.method === 'GET' ? revived.get(sent.path) : undefined
    if (old === undefined || status !== 200) return false
    body[name] = old[name]
    return true
  })
}

import { answers, type Change, defineFaults, receives } from '../fault.ts'

export const DECLARED_FAULTS = defineFaults([
  {
    check: 'declared.attributes',
    fault: answers('GET /Devices/:id', ({ body }, { query }) => {
      if (query.get('attributes') !== 'slots') return false
      return delete body.slots
    }),
  },
  {
    check: 'declared.excluded',
    fault: answers('GET /Devices/:id', ({ body }, { query }) => {
      if (!query.has('excludedAttributes')) return false
      return delete body.slots
    }),
  },
  {
    check: 'declared.unknown',
    fault: answers('GET /Devices/not-an-id', (answer) => {
      answer.status = 400
    }),
  },
  {
    check: 'declared.deleted',
    fault: answers('DELETE /Devices/:id', (answer) => {
      if (answer.status === 404) answer.status = 204
    }),
  },
  { check: 'declared.others', fault: deletesTags() },
  {
    check: 'declared.filters',
    fault: filtersBy('/Users', (filter) =>
      filter.startsWith('preferredLanguage eq') ? 'userName eq "unknown"' : filter,
    ),
  },
  {
    check: 'declared.filters-missing',
    fault: filtersBy('/Devices', (filter) => filter.replace(/^(\w+) ne .*/, '$& and $1 pr')),
  },
  {
    check: 'declared.filters-exact',
    fault: filtersBy('/Users', (filter) => filter.replace('andré', 'andre')),
  },
  {
    check: 'declared.unreturned',
    fault: receives('GET /Devices', ({ query }) =>
      query.get('attributes') === 'id'
        ? { query: new URLSearchParams({ filter: 'serial eq "unknown"' }) }
        : null,
    ),
  },
  {
    check: 'declared.sorting',
    fault: receives('GET /Devices', ({ query }) => {
      if (query.get('sortBy') !== 'slots' || query.has('filter')) return null
      query.delete('sortOrder')
      return { query }
    }),
  },
  {
    check: 'declared.lists',
    fault: answers('GET /Devices', ({ body }, { query }) => {
      if (query.has('filter') || query.has('sortBy')) return false
      for (const device of body.Resources ?? []) delete device.tags
      return true
    }),
  },
  { check: 'declared.lists-after-changes', fault: cachesLists() },
  {
    check: 'declared.other-types',
    name: 'a user is read as a group',
    fault: readsAny('/Groups', '/Users'),
  },
  {
    check: 'declared.other-types',
    name: 'a group is read as a user',
    fault: readsAny('/Users', '/Groups'),
  },
  {
    check: 'declared.pages',
    fault: answers('GET /Devices', ({ body }, { query }) => {
      if (Number(query.get('startIndex')) < 2) return false
      return body.Resources?.shift()
    }),
  },
  {
    check: 'declared.cursors',
    fault: answers('GET /Devices', ({ body }, { query }) => {
      if (!query.get('cursor')) return false
      return body.Resources?.shift()
    }),
  },
  { check: 'declared.stable', fault: movesChanged() },
  {
    check: 'declared.versions',
    fault: answers('POST /Devices', ({ headers }) => headers.set('ETag', 'W/"new"')),
  },
  { check: 'declared.version-attributes', fault: keepsTags() },
  {
    check: 'declared.if-match',
    fault: receives('PUT /Devices/:id', ({ headers }) => {
      const others = new Headers(headers)
      others.delete('If-Match')
      return { headers: others }
    }),
  },
  {
    check: 'declared.dates',
    fault: answers('PUT /Devices/:id', ({ status, body }) => {
      if (status !== 200) return false
      body.meta.created = '2030-01-01T00:00:00Z'
      return true
    }),
  },
  {
    check: 'declared.ids',
    // As Number.parseInt of an id that starts with a number.
    fault: receivesPath(/^\/Devices\/[\da-f-]{36}abc$/, (path) => path.slice(0, -'abc'.length)),
  },
  { check: 'declared.twins', fault: deletesAddresses() },
  {
    check: 'declared.last-modified',
    fault: answers('GET /Users/:id', ({ status, body }) => {
      if (status !== 200 || body.meta === undefined) return false
      body.meta.lastModified = body.meta.created
      return true
    }),
  },
])

/** Changes the filters of a list. */
function filtersBy(path: string, change: (filter: string) => string): Change {
  return receives(`GET ${path}`, ({ query }) => {
    const filter = query.get('filter')
    if (filter === null) return null
    query.set('filter', change(filter))
    return { query }
  })
}

/** Lists the device that was changed last at the end. */
function movesChanged(): Change {
  return (correct) => {
    let last = ''
    const written = answers('PUT /Devices/:id', ({ body }) => {
      last = body.id
      return false
    })
    const listed = answers('GET /Devices', ({ body }) => {
      body.Resources?.sort((a: { id: string }, b: { id: string }) =>
        a.id === last ? 1 : b.id === last ? -1 : 0,
      )
    })
    return listed(written(correct))
  }
}

/** Removes the tags of every device when one is deleted. */
function deletesTags(): Change {
  return (correct) => {
    const existing = new Set<string>()
    const withoutTags = new Set<string>()
    const created = answers('POST /Devices', ({ body }) => {
      existing.add(`/Devices/${body.id}`)
      return false
    })
    const deleted = answers('DELETE /Devices/:id', () => {
      for (const path of existing) withoutTags.add(path)
      return false
    })
    const read = answers(
      'GET /Devices/:id',
      ({ body }, { path }) => withoutTags.has(path) && delete body.tags,
    )
    return read(deleted(created(correct)))
  }
}

/** Keeps the entity tag of a device when it is changed by PATCH. */
function keepsTags(): Change {
  return (correct) => {
    const tags = new Map<string, string | null>()
    const patched = new Set<string>()
    const changed = answers('PATCH /Devices/:id', (_, { path }) => {
      patched.add(path)
      return false
    })
    const read = answers('GET /Devices/:id', ({ headers }, { path }) => {
      if (patched.has(path)) headers.set('ETag', tags.get(path) ?? '')
      else tags.set(path, headers.get('ETag'))
    })
    return read(changed(correct))
  }
}

/** Sends the requests for some paths to others. */
function receivesPath(pattern: RegExp, change: (path: string) => string): Change {
  return (correct) => async (request) => {
    const url = new URL(request.url)
    const path = url.pathname.slice('/scim/v2'.length)
    if (!pattern.test(path)) return await correct(request)
    url.pathname = `/scim/v2${change(path)}`
    return await correct(new Request(url, request))
  }
}

/** Deletes the addresses of a user that is changed, also those of other users with the same address. */
function deletesAddresses(): Change {
  return (correct) => {
    const deleted = new Set<string>()
    const owners = new Map<string, string>()
    const created = answers('POST /Users', ({ body }) => {
      owners.set(`/Users/${body.id}`, body.emails?.[0]?.value)
      return false
    })
    const changed = answers('DELETE /Users/:id', (_, { path }) => {
      const address = owners.get(path)
      for (const [other, value] of owners) {
        if (other !== path && value === address && value !== undefined) deleted.add(other)
      }
      return false
    })
    const read = answers(
      'GET /Users/:id',
      ({ body }, { path }) => deleted.has(path) && delete body.emails,
    )
    return read(changed(created(correct)))
  }
}

/** A list of devices is answered as before, until a device is created or deleted. */
function cachesLists(): Change {
  return (correct) => {
    const cache = new Map<string, Response>()
    return async (request) => {
      const { method, url } = request
      if (method === 'POST' || method === 'DELETE') cache.clear()
      if (method !== 'GET' || !/\/Devices(\?count=\d+)?$/.test(url)) return correct(request)
      const response = cache.get(url) ?? (await correct(request))
      cache.set(url, response)
      return response.clone()
    }
  }
}

/** One table without a type: a resource of another type is read, too. */
function readsAny(endpoint: string, other: string): Change {
  return (correct) => async (request) => {
    const response = await correct(request.clone())
    if (request.method !== 'GET' || response.status !== 404) return response
    const url = request.url.replace(`/scim/v2${endpoint}/`, `/scim/v2${other}/`)
    if (url === request.url) return response
    const found = await correct(new Request(url, { headers: request.headers }))
    return found.status === 200 ? found : response
  }
}

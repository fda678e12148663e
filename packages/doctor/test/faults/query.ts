import { type Change, receives, replies } from '../fault.ts'

/** The reference reads another filter than the one that was sent. */
export function rewrites(pattern: RegExp, replacement: string, route = 'GET /Users'): Change {
  return receives(route, ({ query }) => {
    const filter = query.get('filter') ?? ''
    if (!pattern.test(filter)) return null
    const changed = new URLSearchParams(query)
    changed.set('filter', filter.replace(pattern, replacement))
    return { query: changed }
  })
}

/** A filter is rejected. */
export function rejects(pattern: RegExp): Change {
  return replies('GET /Users', ({ query }) =>
    pattern.test(query.get('filter') ?? '')
      ? { status: 400, body: { status: '400', scimType: 'invalidFilter' } }
      : null,
  )
}

/** The reference reads the query of a list with other parameters, if all of `sent` were sent. Null removes a parameter. */
export function requeries(
  sent: Readonly<Record<string, string | null>>,
  changed: Readonly<Record<string, string | null>>,
  route = 'GET /Users',
): Change {
  return receives(route, ({ query }) => {
    if (!hasParameters(query, sent)) return null
    const copy = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changed)) {
      if (value === null) copy.delete(name)
      else copy.set(name, value)
    }
    return { query: copy }
  })
}

/** A request with some parameters fails. Null is a parameter that is absent. */
export function failsFor(
  sent: Readonly<Record<string, string | null>>,
  status: number,
  route = 'GET /Users',
): Change {
  return replies(route, ({ query }) => (hasParameters(query, sent) ? { status } : null))
}

/** Returns whether a query has the parameters. Null is a parameter that is absent. */
export function hasParameters(
  query: URLSearchParams,
  sent: Readonly<Record<string, string | null>>,
): boolean {
  return Object.entries(sent).every(([name, value]) => query.get(name) === value)
}

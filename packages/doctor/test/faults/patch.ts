import { answers, type Body, type Change, receives } from '../fault.ts'

/** An operation that does not change anything. */
const NOTHING = { op: 'replace', value: {} }

/** Replaces operations of PATCH requests. The function returns those to apply instead, or null to keep it. */
export function operations(
  change: (operation: Body) => readonly object[] | null,
  route = 'PATCH /Users/:id',
): Change {
  return receives(route, ({ body }) => {
    const all: readonly Body[] = body?.Operations ?? []
    const changed = all.map(change)
    if (changed.every((one) => one === null)) return null
    return { body: { ...body, Operations: all.flatMap((one, at) => changed[at] ?? [one]) } }
  })
}

/** Ignores the operations that match. */
export function ignores(matches: (operation: Body) => boolean, route?: string): Change {
  return operations((operation) => (matches(operation) ? [NOTHING] : null), route)
}

/** Changes how a resource is shown after a PATCH request with an operation that matches. */
export function afterwards(
  matches: (operation: Body) => boolean,
  change: (resource: Body, operation: Body) => unknown,
  path = '/Users/:id',
): Change {
  const seen = new Map<string, Body>()
  return answers(`* ${path}`, ({ status, body }, sent) => {
    const operation = sent.body?.Operations?.find(matches)
    if (sent.method === 'PATCH' && operation !== undefined) seen.set(sent.path, operation)
    if (status !== 200 || !seen.has(sent.path)) return false
    return change(body, seen.get(sent.path))
  })
}

/** A time one minute later. */
export function later(time: string): string {
  return new Date(Date.parse(time) + 60_000).toISOString()
}

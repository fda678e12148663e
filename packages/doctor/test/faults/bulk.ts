import { answers, type Body, defineFaults, receives } from '../fault.ts'

/** Changes the operations of the response. */
const outcomes = (change: (operation: Body) => unknown) =>
  answers('POST /Bulk', ({ status, body }) => {
    if (status === 200) for (const operation of body.Operations) change(operation)
  })

/** Changes the operations of the request. A request without a change is sent as it was. */
const requested = (change: (operation: Body, at: number, all: readonly Body[]) => Body) =>
  receives('POST /Bulk', ({ body }) => {
    const Operations = body.Operations.map(change)
    const isSame = Operations.every((one: Body, at: number) => one === body.Operations[at])
    return isSame ? null : { body: { ...body, Operations } }
  })

/** Drops the members of a group if the operation matches. */
const withoutMembers = (matches: (at: number, all: readonly Body[]) => boolean) =>
  requested((operation, at, all) =>
    operation.path === '/Groups' && matches(at, all)
      ? { ...operation, data: { ...operation.data, members: [] } }
      : operation,
  )

const isUser = (operation: Body) => operation?.path === '/Users'

export const BULK_FAULTS = defineFaults([
  {
    check: 'bulk.create',
    fault: outcomes((operation) => {
      if (operation.method === 'POST' && operation.status === '201') operation.status = '200'
    }),
  },
  {
    check: 'bulk.schema',
    fault: answers('POST /Bulk', ({ status, body }) => {
      if (status === 200) body.schemas = []
    }),
  },
  { check: 'bulk.bulk-id', fault: outcomes((operation) => delete operation.bulkId) },
  { check: 'bulk.method', fault: outcomes((operation) => delete operation.method) },
  {
    check: 'bulk.status-text',
    fault: outcomes((operation) => {
      operation.status = Number(operation.status)
    }),
  },
  {
    check: 'bulk.put',
    fault: requested((operation) =>
      operation.method === 'PUT'
        ? { ...operation, data: { ...operation.data, displayName: 'Ada Sample' } }
        : operation,
    ),
  },
  {
    check: 'bulk.patch',
    fault: requested((operation) =>
      operation.method === 'PATCH' && operation.version === undefined
        ? { ...operation, data: { ...operation.data, Operations: [{ op: 'add', value: {} }] } }
        : operation,
    ),
  },
  {
    check: 'bulk.delete',
    fault: outcomes((operation) => {
      if (operation.method === 'DELETE' && operation.status === '204') operation.status = '200'
    }),
  },
  {
    check: 'bulk.location',
    fault: outcomes((operation) => {
      if (operation.method === 'PUT') delete operation.location
    }),
  },
  { check: 'bulk.reference', fault: withoutMembers((at, all) => at === 1 && isUser(all[0])) },
  {
    check: 'bulk.forward-reference',
    fault: withoutMembers((at, all) => at === 0 && isUser(all[1])),
  },
  {
    check: 'bulk.circular',
    fault: withoutMembers((_, all) => all.length === 2 && !all.some(isUser)),
  },
  { check: 'bulk.unknown-reference', fault: withoutMembers((_, all) => all.length === 1) },
  {
    check: 'bulk.continues',
    fault: receives('POST /Bulk', ({ body }) =>
      body.Operations.length === 2 && body.failOnErrors === undefined
        ? { body: { ...body, failOnErrors: 1 } }
        : null,
    ),
  },
  {
    check: 'bulk.fail-on-errors',
    fault: receives('POST /Bulk', ({ body: { failOnErrors, ...body } }) =>
      failOnErrors === undefined ? null : { body },
    ),
  },
  { check: 'bulk.error-response', fault: outcomes((operation) => delete operation.response) },
  {
    check: 'bulk.version',
    fault: requested((operation) =>
      operation.version === undefined ? operation : { ...operation, version: undefined },
    ),
  },
  {
    check: 'bulk.max-operations',
    fault: receives('POST /Bulk', ({ body }) =>
      body.Operations.length > 1_000
        ? { body: { ...body, Operations: body.Operations.slice(0, 1_000) } }
        : null,
    ),
  },
  {
    check: 'bulk.limit-detail',
    fault: answers('POST /Bulk', ({ status, body }) => {
      if (status === 413) body.detail = 'The request is too large.'
    }),
  },
  {
    check: 'bulk.max-payload',
    // The parsed body is written again, without the white space.
    fault: receives('POST /Bulk', ({ body }) => ({ body })),
  },
])

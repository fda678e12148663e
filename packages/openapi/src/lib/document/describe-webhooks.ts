import { pointerOf } from '@plumbline/problem/core'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { type PreparedRoute, prepareRoute } from '../spec/route.ts'
import type { DescribeOperation, DocumentContext } from './context.ts'
import type { FaultPlace } from './faults.ts'

/** Describes webhooks, the requests the API sends, by name (OpenAPI 3.1.1 §4.8.1). */
export function describeWebhooks(
  webhooks: readonly AnyOperation[],
  operations: readonly AnyOperation[],
  context: DocumentContext,
  describe: DescribeOperation,
): Record<string, OpenAPI.PathItem> {
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const described = webhooks.map((webhook) => {
    const { operationId } = webhook
    const place = { operationId, pointer: pointerOf(['webhooks', operationId, 'post']) }
    if (ids.has(operationId)) {
      context.report(place, { code: 'duplicate-operation-id', name: operationId })
    }
    ids.add(operationId)
    return [operationId, { post: describeRequest(webhook, place, context, describe) }] as const
  })
  return Object.fromEntries(described)
}

/** Describes callbacks, the requests sent as a consequence of an operation (OpenAPI 3.1.1 §4.8.18). */
export function describeCallbacks(
  spec: OperationSpec,
  route: PreparedRoute,
  place: FaultPlace,
  context: DocumentContext,
  describe: DescribeOperation,
): Record<string, OpenAPI.Callback> | undefined {
  if (spec.callbacks === undefined) return undefined
  const described = Object.entries(spec.callbacks).map(([name, { url, webhook }]) => {
    const pointer = `${place.pointer}${pointerOf([name, url])}`
    const exchange = { spec, route, responses: Object.values(spec.responses ?? {}) }
    for (const fault of webhook.findUrlFaults(url, exchange)) {
      context.report({ ...place, pointer }, { code: 'invalid-callback-url', ...fault })
    }
    const here = { ...place, pointer: `${pointer}/post` }
    // An operationId is unique, and several operations may send one webhook.
    const { operationId: _, ...post } = describeRequest(webhook, here, context, describe)
    return [name, { [url]: { post } } as OpenAPI.Callback] as const
  })
  return Object.fromEntries(described)
}

/** Describes one request. The receiver does not answer with default problems, nor check the API's credentials. */
function describeRequest(
  webhook: Pick<AnyOperation, 'operationId' | 'spec'>,
  place: FaultPlace,
  context: DocumentContext,
  describe: DescribeOperation,
): OpenAPI.Operation {
  const { value: route } = prepareRoute({ method: 'POST', pattern: '/' })
  if (route === undefined) return {}
  const described = describe(webhook, route, place, { ...context, defaults: null })
  return context.security.length === 0 ? described : { ...described, security: [] }
}

import type { RequestListener } from 'node:http'
import { optionFault, receiverOf, type Served } from '@plumbline/base'
import { createPipelineLimit } from './pipeline-limit.ts'
import { RawHeaders } from './raw-headers.ts'
import { ReceivedRequest } from './received-request.ts'
import { createFindTarget } from './request-target.ts'
import { fail, send } from './send.ts'

/**
 * Creates a listener for Node's own servers, `createServer` of `node:http` and of `node:https`, from an API or from
 * another object with a `fetch` function.
 *
 * An API's operations read the request as Node received it, and Node writes their answers: a `Request` and a `Response`
 * are made only if a handler, a verifier or a middleware reads them. Other functions get a `Request`. The `signal` is
 * aborted if the client goes away before the response is sent, and the body can be read once. A stream is sent as fast
 * as the client reads it.
 *
 * A request whose host or target is not valid is answered with 400 (RFC 9112 §3.2), and so is a path with a dot segment,
 * such as `/a/../b`, which a proxy may have read in another way. A connection is not read while 32 requests on it wait. An answer that cannot be sent, such
 * as one with U+007F in a header, is a 500, and one whose body fails or does not match the Content-Length aborts the
 * connection. `onError` of an API receives the error; errors of other functions are written to the console. Headers of
 * the connection are not sent (RFC 9110 §7.6.1). A client still sending a body after the response gets half a
 * second, and then the connection is closed. Throws a TypeError for an object without `fetch`.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createRequestListener } from '@plumbline/openapi/node'
 * import { implement } from '@plumbline/openapi/server'
 *
 * const greet = defineOperation('greet', 'GET /greeting', {
 *   summary: 'Greet',
 *   responses: { 204: { description: 'Greeted' } },
 * })
 * const info = { title: 'Greetings', version: '1.0.0' }
 * const api = implement(createDocument({ info, defaults: {} }).add(greet), {
 *   handlers: { greet: ({ reply }) => reply(204) },
 * })
 * const server = createServer(createRequestListener(api)).listen(0)
 * server.close()
 * ```
 */
export function createRequestListener(served: Served): RequestListener {
  // Most often `api.fetch`, or the document of an API.
  if (typeof Object(served).fetch !== 'function') {
    throw optionFault('createRequestListener: the API', 'an object with a function fetch', served)
  }
  const { receive, recover } = receiverOf(served)
  const findTarget = createFindTarget()
  const limitPipeline = createPipelineLimit()
  return (incoming, outgoing) => {
    limitPipeline(incoming, outgoing)
    const headers = new RawHeaders(incoming.rawHeaders)
    const scheme = 'encrypted' in incoming.socket ? 'https' : 'http'
    const target = findTarget(incoming.url ?? '', headers.get('Host'), scheme)
    if (target === null) {
      outgoing.writeHead(400, ['Content-Length', 0, 'Connection', 'close'])
      outgoing.end()
      return
    }
    const request = new ReceivedRequest(incoming, outgoing, headers, target)
    const sendResponse = (response: Response): void => send(response, request, outgoing, recover)
    const sendFailure = (error: unknown): void => void fail(error, request, outgoing, recover)
    try {
      const answering = receive(request)
      if (answering instanceof Promise) void answering.then(sendResponse, sendFailure)
      else sendResponse(answering)
    } catch (error) {
      sendFailure(error)
    }
  }
}

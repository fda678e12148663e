import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Creates a function to note each request. It stops reading a connection while too many of the requests are unanswered (RFC 9112 §9.3.2). Node itself stops only when the client does not read its answers.
 */
export function createPipelineLimit(): (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => void {
  const newest = new WeakMap<object, ServerResponse>()
  const pipelines = new WeakMap<object, Pipeline>()
  return ({ socket }, outgoing) => {
    const before = newest.get(socket)
    newest.set(socket, outgoing)
    // Most clients wait for each answer.
    if (before === undefined || before.closed) return
    const pipeline = pipelines.get(socket) ?? createPipeline(socket)
    pipelines.set(socket, pipeline)
    pipeline.add(outgoing)
  }
}

interface Pipeline {
  /** Adds a request behind an unanswered one. */
  add(outgoing: ServerResponse): void
}

function createPipeline(socket: Socket): Pipeline {
  let waiting = 0
  const pauseIfFull = (): void => {
    if (waiting >= MAX_WAITING) socket.pause()
  }
  // Node resumes the socket after each request.
  socket.on('resume', pauseIfFull)
  return {
    add: (outgoing) => {
      waiting += 1
      pauseIfFull()
      outgoing.once('close', () => {
        waiting -= 1
        // Node has paused the socket itself if the client does not read answers, and resumes it later.
        if (waiting < MAX_WAITING && Reflect.get(socket, '_paused') !== true) socket.resume()
      })
    },
  }
}

/** How many requests may wait behind another one while a connection is read. */
const MAX_WAITING = 32

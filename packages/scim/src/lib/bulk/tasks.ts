/** Lets other tasks run between the parts of a long one. */
export interface TaskQueue {
  /** Resolves in a later task of the event loop, after those that already wait. */
  readonly next: () => Promise<void>
  readonly close: () => void
}

/**
 * Creates a queue that must be closed: an open channel keeps a Node process alive.
 *
 * A message costs some microseconds. A timer costs a millisecond or more, and a promise that is resolved
 * already lets no other request run.
 */
export function createTaskQueue(): TaskQueue {
  // Not every edge runtime has channels.
  if (typeof MessageChannel === 'undefined') {
    return { next: () => new Promise((resolve) => setTimeout(resolve, 0)), close: () => {} }
  }
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        port2.postMessage(null)
      }),
    close: () => port1.close(),
  }
}

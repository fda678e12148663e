/**
 * Creates a function that lets other event-loop tasks run, once a 5 ms time slice has passed since they last ran.
 *
 * Only a timer does this on every runtime. It costs a millisecond or more, so short work does not wait for one each
 * time. A `MessageChannel` message is not enough: Node handles up to 1,000 before it answers any other request.
 */
export function createTurns(): () => Promise<void> {
  let end = performance.now() + TIME_SLICE
  return async () => {
    if (performance.now() < end) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    end = performance.now() + TIME_SLICE
  }
}

/**
 * Creates a function that lets only one large body be parsed in each event-loop turn. Several may have arrived while
 * the loop was blocked. It returns undefined for a small body.
 */
export function createBodyTurns(): (bytes: number) => Promise<void> | undefined {
  let last: Promise<void> = Promise.resolve()
  return (bytes) => {
    if (bytes <= LARGE_BODY) return undefined
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 0)))
    return last
  }
}

/** In bytes. */
const LARGE_BODY = 64 * 1024
/** In milliseconds. */
const TIME_SLICE = 5

/** Hands out what only one piece of work can have at a time. */
export interface Slots<Slot> {
  /** Waits for a slot that is free; rejects with the reason of the signal once that is aborted. */
  take(signal?: AbortSignal): Promise<Slot>
  giveBack(slot: Slot): void
}

/** When all slots have to be free for a moment. */
export interface Pauses {
  isDue(): boolean
  /** What is done in the moment; it does not reject. */
  pause(): Promise<void>
}

/** Hands out slots, first come first served; none while a pause is due, until all have come back. */
export function createSlots<Slot>(all: readonly Slot[], { isDue, pause }: Pauses): Slots<Slot> {
  const free = [...all]
  const waiting = new Set<(slot: Slot) => void>()
  let isPaused = false
  const handOut = async (): Promise<void> => {
    if (isPaused) return
    if (isDue()) {
      if (free.length < all.length) return
      isPaused = true
      await pause()
      isPaused = false
    }
    for (const give of waiting) {
      const slot = free.pop()
      if (slot === undefined) return
      waiting.delete(give)
      give(slot)
    }
  }
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      let leave = (): void => undefined
      try {
        return await new Promise<Slot>((resolve, reject) => {
          leave = () => {
            waiting.delete(resolve)
            reject(signal?.reason)
          }
          signal?.addEventListener('abort', leave)
          waiting.add(resolve)
          void handOut()
        })
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
    giveBack: (slot) => {
      free.push(slot)
      void handOut()
    },
  }
}

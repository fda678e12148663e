/** A slot assigned to one piece of work. */
export interface Turn<Slot> {
  readonly slot: Slot
  readonly tenantId: string
  /** The time of the process (ms) when it got the slot. */
  readonly began: number
  /** Aborts with `RECALLED` if the tenant has more than its share of slots and another tenant waits. */
  readonly recalled: AbortSignal
  isRecalled(): boolean
  recall(): void
}

/** Creates a turn that begins now. */
export function createTurn<Slot>(slot: Slot, tenantId: string): Turn<Slot> {
  let isRecalled = false
  let recalling: AbortController | null = null
  return {
    slot,
    tenantId,
    began: performance.now(),
    isRecalled: () => isRecalled,
    // Most turns are look-ups, which are not recalled, and do not need the signal.
    get recalled() {
      recalling ??= new AbortController()
      if (isRecalled) recalling.abort(RECALLED)
      return recalling.signal
    },
    recall: () => {
      isRecalled = true
      recalling?.abort(RECALLED)
    },
  }
}

/** The abort reason for a recalled turn. The work is retried in the tenant's next turn. */
export const RECALLED = new Error('another tenant waits for the slot')

import type { LoopTurns } from '../../store.ts'
import { createSlots } from '../worker-pool.ts'

/** Runs work one piece at a time: tenants in turn, and each tenant's work first in, first out. */
export class Queue {
  private readonly slots = createSlots([null])
  private readonly turns: LoopTurns | null
  private readonly idlers: (() => void)[] = []

  /** @param turns for work that may block the event loop for long; null if it does not wait for other such work */
  constructor(turns: LoopTurns | null = null) {
    this.turns = turns
  }

  async run<Value>(work: () => Promise<Value>, tenantId = ''): Promise<Value> {
    const slot = await this.slots.take(tenantId)
    try {
      await this.turns?.next(tenantId)
      return await work()
    } finally {
      this.slots.giveBack(slot)
      if (this.size === 0) for (const settle of this.idlers.splice(0)) settle()
    }
  }

  /** Counts the running and waiting work. */
  get size(): number {
    const { running, waiting } = this.slots.counts()
    return running + waiting
  }

  /** Settles when all queued work has ended. */
  async idle(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => this.idlers.push(resolve))
  }
}

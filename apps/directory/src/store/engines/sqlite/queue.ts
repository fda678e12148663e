/** Runs pieces of work one after the other, first in, first out. */
export class Queue {
  private last: Promise<unknown> = Promise.resolve()

  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.last.then(work, work)
    this.last = result.catch(() => undefined)
    return result
  }

  /** Settles when all queued work has ended. */
  async idle(): Promise<void> {
    await this.last
  }
}

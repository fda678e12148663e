/** Runs pieces of work one after the other, first in, first out. */
export class Queue {
  private last: Promise<unknown> = Promise.resolve()
  private count = 0

  run<Value>(work: () => Promise<Value>): Promise<Value> {
    this.count += 1
    const result = this.last.then(work, work)
    const end = (): void => {
      this.count -= 1
    }
    this.last = result.then(end, end)
    return result
  }

  /** The number of pieces of work that run or wait. */
  get size(): number {
    return this.count
  }

  /** Settles when all queued work has ended. */
  async idle(): Promise<void> {
    await this.last
  }
}

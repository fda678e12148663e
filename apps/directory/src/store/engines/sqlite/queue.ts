/** Runs pieces of work one after the other, in the order in which they came. */
export class Queue {
  private last: Promise<unknown> = Promise.resolve()

  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.last.then(work, work)
    this.last = result.catch(() => undefined)
    return result
  }

  /** Settles when all that was queued has been done. */
  async idle(): Promise<void> {
    await this.last
  }
}

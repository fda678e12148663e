/** A queue that serves tenants in turn, and each tenant's items first in, first out. */
export class FairQueue<Item> {
  /** The waiting tenants; the tenant whose turn is next is the first. */
  private readonly queues = new Map<string, Set<Item>>()
  private count = 0

  /** The number of waiting items. */
  get size(): number {
    return this.count
  }

  /** The number of waiting tenants. */
  get tenantCount(): number {
    return this.queues.size
  }

  add(tenantId: string, item: Item): void {
    const queue = this.queues.get(tenantId) ?? new Set()
    this.queues.set(tenantId, queue.add(item))
    this.count += 1
  }

  delete(tenantId: string, item: Item): void {
    const queue = this.queues.get(tenantId)
    if (queue?.delete(item)) this.count -= 1
    if (queue?.size === 0) this.queues.delete(tenantId)
  }

  /** The waiting tenants, next turn first. */
  tenants(): IterableIterator<string> {
    return this.queues.keys()
  }

  /** Removes and returns a tenant's oldest item, and moves the tenant to the end of the queue. */
  next(tenantId: string): Item | undefined {
    const queue = this.queues.get(tenantId) ?? new Set()
    for (const item of queue) {
      this.queues.delete(tenantId)
      queue.delete(item)
      this.count -= 1
      if (queue.size > 0) this.queues.set(tenantId, queue)
      return item
    }
    return undefined
  }

  /** Removes and returns the oldest item of the tenant whose turn it is. */
  nextOfAll(): Item | undefined {
    for (const tenantId of this.queues.keys()) return this.next(tenantId)
    return undefined
  }
}

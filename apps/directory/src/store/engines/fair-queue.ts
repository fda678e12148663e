/** A queue that serves tenants in turn, and each tenant's items first in, first out. */
export class FairQueue<Item> {
  /** The waiting tenants; the tenant whose turn is next is the first. */
  private readonly queues = new Map<string, Set<Item>>()

  add(tenantId: string, item: Item): void {
    const queue = this.queues.get(tenantId) ?? new Set()
    this.queues.set(tenantId, queue.add(item))
  }

  delete(tenantId: string, item: Item): void {
    const queue = this.queues.get(tenantId)
    queue?.delete(item)
    if (queue?.size === 0) this.queues.delete(tenantId)
  }

  /** The waiting tenants, next turn first. */
  tenants(): readonly string[] {
    return [...this.queues.keys()]
  }

  /** The number of waiting items. */
  get size(): number {
    let size = 0
    for (const queue of this.queues.values()) size += queue.size
    return size
  }

  /** Removes and returns a tenant's oldest item, and moves the tenant to the end of the queue. */
  next(tenantId: string): Item | undefined {
    const queue = this.queues.get(tenantId) ?? new Set()
    for (const item of queue) {
      this.queues.delete(tenantId)
      queue.delete(item)
      if (queue.size > 0) this.queues.set(tenantId, queue)
      return item
    }
    return undefined
  }
}

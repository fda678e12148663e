/** A queue that serves tenants in turn, and the items of each tenant in the order in which they came. */
export class FairQueue<Item> {
  /** The tenant whose turn is next comes first. */
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

  /** The tenants that wait, in the order of their turns. */
  tenants(): readonly string[] {
    return [...this.queues.keys()]
  }

  /** Removes and returns the oldest item of a tenant, whose next turn comes after all others. */
  next(tenantId: string): Item | undefined {
    const queue = this.queues.get(tenantId)
    const item = queue?.values().next().value
    if (queue === undefined || item === undefined) return undefined
    this.queues.delete(tenantId)
    queue.delete(item)
    if (queue.size > 0) this.queues.set(tenantId, queue)
    return item
  }
}

import type { Turn } from './turn.ts'

/** The turns that hold a slot, and the tenants that have them. */
export class RunningTurns<Slot> {
  /** The oldest turn is the first. */
  private readonly turns = new Set<Turn<Slot>>()
  /** How many slots each tenant keeps: those of the turns not recalled. */
  private readonly kept = new Map<string, number>()
  /** The tenants with a slow turn, or whose last turn was slow. */
  private readonly slow = new Set<string>()

  get size(): number {
    return this.turns.size
  }

  add(turn: Turn<Slot>): void {
    this.turns.add(turn)
    this.change(turn.tenantId, 1)
  }

  delete(turn: Turn<Slot>): void {
    this.turns.delete(turn)
    if (performance.now() - turn.began >= SLOW) this.slow.add(turn.tenantId)
    else if (!turn.isRecalled()) this.slow.delete(turn.tenantId)
    if (!turn.isRecalled()) this.change(turn.tenantId, -1)
  }

  recall(turn: Turn<Slot>): void {
    turn.recall()
    this.change(turn.tenantId, -1)
  }

  /** The turns that are not recalled, newest first. */
  keptTurns(): readonly Turn<Slot>[] {
    return [...this.turns].filter((turn) => !turn.isRecalled()).reverse()
  }

  /** The number of slots that a tenant keeps. */
  countOf(tenantId: string): number {
    return this.kept.get(tenantId) ?? 0
  }

  isSlow(tenantId: string): boolean {
    return this.slow.has(tenantId)
  }

  /** Whether slow tenants hold at least this number of slots, and there are other tenants, which may wait. */
  areMostlySlow(number: number, waiting: Iterable<string>): boolean {
    const now = performance.now()
    for (const { tenantId, began } of this.turns) {
      if (now - began < SLOW) break
      this.slow.add(tenantId)
    }
    if (this.slow.size === 0) return false
    const holders = [...this.turns].map(({ tenantId }) => tenantId)
    if (holders.filter((tenantId) => this.slow.has(tenantId)).length < number) return false
    return new Set([...holders, ...waiting]).size > 1
  }

  private change(tenantId: string, difference: 1 | -1): void {
    const count = this.countOf(tenantId) + difference
    if (count === 0) this.kept.delete(tenantId)
    else this.kept.set(tenantId, count)
  }
}

/** How long (ms) a turn lasts until the tenant counts as slow. */
const SLOW = 2_000

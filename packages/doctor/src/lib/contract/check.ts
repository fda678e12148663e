import { skip } from '../toolkit/finding.ts'
import type { World } from './world.ts'

/** One rule of the contract, before it is bound to a store. */
export interface StoreCheck {
  /** The rule, as a sentence. */
  readonly name: string
  /** The standard's section. */
  readonly section: string
  /** The likely reason of a failure, and its remedy. */
  readonly advice: string
  /** Throws a Mismatch if the store breaks the rule, or a Skipped if the rule does not apply. */
  run(world: World): Promise<void>
}

/** Returns the list. If it is empty, the check is skipped for the reason. */
export function some<Value>(list: readonly Value[], reason: string): readonly Value[] {
  return list.length === 0 ? skip(reason) : list
}

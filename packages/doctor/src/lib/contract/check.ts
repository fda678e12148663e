import type { World } from './world.ts'

/** One rule of the contract, before it is bound to a store. */
export interface StoreCheck {
  /** The rule, as a sentence. */
  readonly name: string
  /** The section of the standard. */
  readonly section: string
  /** The likely reason of a failure, and its remedy. */
  readonly advice: string
  /** Throws if the store breaks the rule. */
  run(world: World): Promise<void>
}

/** Thrown by a check that does not apply to the store. */
export class Inapplicable extends Error {
  override readonly name = 'Inapplicable'
}

/** The list, if it is not empty. Otherwise the check does not apply, for the reason. */
export function some<Value>(list: readonly Value[], reason: string): readonly Value[] {
  if (list.length === 0) throw new Inapplicable(reason)
  return list
}

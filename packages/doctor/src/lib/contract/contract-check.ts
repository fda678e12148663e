import type { Adapt } from '../toolkit/adapt.ts'

/** A rule that stores must follow. */
export interface ContractCheck {
  /** The rule, which is unique among the checks. */
  readonly name: string
  /** The section of the standard the rule comes from. */
  readonly section: string
  /**
   * Examines new stores: a topic's first check does it for the whole topic. Throws an Error whose message has the last
   * requests, what was expected, what came and what to do.
   */
  run(): Promise<CheckOutcome>
}

/** The outcome of a check that did not fail. */
export interface CheckOutcome {
  /** The reason why the check does not apply to the stores; null if it applies. */
  readonly skipped: string | null
}

/** Options for `storeContract`. */
export interface StoreContractOptions {
  /**
   * Changes a generated resource before it is sent, for store rules the definitions lack, such as a `userName` that
   * must be an email address. For different numbers, the returned resources must differ in their unique attributes.
   */
  readonly adapt?: Adapt | undefined
  /**
   * The core schema attributes whose strings the stores keep in lower case, such as `['userName']`; none by default.
   */
  readonly folded?: readonly string[] | undefined
  /**
   * How long (ms) a check waits for the answer to a request; 30,000 by default. The test runner's limit must be longer,
   * so the check can name the request it waits for.
   */
  readonly timeout?: number | undefined
}

/** A rule the store breaks, with the requests that show it. */
export interface BrokenRule extends Pick<ContractCheck, 'name' | 'section'> {
  readonly advice: string
  readonly sent: readonly string[]
  readonly expected: string
  readonly found: string
}

/** Creates the error of a failed check: all the store's author learns about the fault. */
export function failureOf(rule: BrokenRule, cause?: unknown): Error {
  const { name, section, sent, expected, found, advice } = rule
  const lines = [
    `${name} (${section})`,
    ...sent.map((request) => `sent: ${request}`),
    `expected: ${expected}`,
    `came: ${found}`,
    `what to do: ${advice}`,
  ]
  return new Error(lines.join('\n'), { cause })
}

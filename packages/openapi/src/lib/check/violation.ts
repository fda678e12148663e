import { addressOfCode } from '../address.ts'

/** Violation kinds. */
export type ViolationKind =
  | 'undocumented-operation'
  | 'undocumented-status'
  | 'undocumented-media-type'
  | 'undocumented-problem-type'
  | 'missing-header'
  | 'body-mismatch'
  | 'event-mismatch'

/** One difference between an exchange and the document. */
export interface Violation {
  /** The violation's kind. */
  readonly kind: ViolationKind
  /** The exchange's operation; null if the request did not match one. */
  readonly operationId: string | null
  /** The difference from the document. */
  readonly message: string
  /** For a mismatch, the value's JSON Pointer (RFC 6901) in the body, or in the event's data. */
  readonly pointer?: string
  /** For an event mismatch, the event's or line's number in the stream, from 1. */
  readonly event?: number
}

/**
 * An exchange does not conform to the document; `violations` lists all violations. The message has one line for each
 * violation, and ends with the addresses where each kind is explained.
 */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError'
  /** All violations found in the exchange. */
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    const addresses = violations.map(({ kind }) => addressOfCode('openapi-tests', kind))
    super([...violations.map(sentence), ...new Set(addresses)].join('\n'))
    this.violations = violations
  }
}

function sentence({ kind, operationId, message, pointer, event }: Violation): string {
  const places = [event === undefined ? '' : `event ${event}`, pointer ?? ''].filter(Boolean)
  const at = places.length > 0 ? ` at ${places.join(', ')}` : ''
  return `${operationId ?? 'no operation'}: ${kind}${at}: ${message}`
}

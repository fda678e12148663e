import { defined } from '@plumbline/base'
import type { Violation, ViolationKind } from '@plumbline/openapi/testing'
import { pointerOf } from '@plumbline/problem/core'
import { planMembers } from '../members/plan.ts'
import { placeOf, type Slot } from '../members/slot.ts'
import type { RecordedViolation } from '../report.ts'
import type { Source, SourceOperation } from '../source.ts'

/** The exchange with a violation. */
export interface ViolatingExchange {
  readonly operation: SourceOperation | null
  readonly request: Request
  readonly response: Response
}

/** Removes values from a violation: the message, URL and pointer could quote user data. */
export function withoutValues(
  source: Source,
  { kind, operationId, pointer }: Violation,
  { operation, request, response }: ViolatingExchange,
): RecordedViolation {
  const place =
    pointer === undefined || operation === null
      ? undefined
      : placeOf(slotsOf(source, operation, response), stepsOf(pointer), pointerOf)
  return defined({
    kind,
    operationId,
    message: MESSAGES[kind],
    pointer: place,
    // An unknown method name is a value, too.
    method: METHODS.has(request.method) ? request.method : '',
    url: operation?.path ?? '',
    status: response.status,
  })
}

/** Finds the bodies declared for the response's status. A problem's members are not known. */
function slotsOf(source: Source, operation: SourceOperation, response: Response): readonly Slot[] {
  const key = operation.keyOf(response)
  const members = key === null ? undefined : planMembers(source)(operation).responses.get(key)
  return [...(members?.bodies.values() ?? [])]
}

/** RFC 6901 §4. */
function stepsOf(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
])

const MESSAGES: Readonly<Record<ViolationKind, string>> = {
  'undocumented-operation': 'no operation is bound to the request',
  'undocumented-status': 'the status is not declared',
  'undocumented-media-type': 'the media type is not declared',
  'undocumented-problem-type': 'the type of the problem is not declared',
  'missing-header': 'a required header is missing',
  'event-mismatch': 'the schema rejects a part of the stream',
  'body-mismatch': 'the value does not match its schema',
}

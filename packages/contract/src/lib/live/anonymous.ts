import { defined } from '@plumbline/base'
import type { DocumentOperations } from '@plumbline/openapi'
import { type Contract, findDeclaredResponse } from '@plumbline/openapi/internal'
import type { Violation, ViolationKind } from '@plumbline/openapi/testing'
import { pointerOf } from '@plumbline/problem/core'
import { planMembers } from '../members/plan.ts'
import { placeOf, type Slot } from '../members/slot.ts'
import type { RecordedViolation } from '../report.ts'

/** The exchange with a violation. */
export interface ViolatingExchange {
  readonly contract: Contract | null
  readonly request: Request
  readonly response: Response
}

/** Removes values from a violation: the message, URL and pointer could quote user data. */
export function withoutValues(
  document: DocumentOperations,
  { kind, operationId, pointer }: Violation,
  { contract, request, response }: ViolatingExchange,
): RecordedViolation {
  const place =
    pointer === undefined || contract === null
      ? undefined
      : placeOf(slotsOf(document, contract, response), stepsOf(pointer), pointerOf)
  return defined({
    kind,
    operationId,
    message: MESSAGES[kind],
    pointer: place,
    // An unknown method name is a value, too.
    method: METHODS.has(request.method) ? request.method : '',
    url: contract?.path ?? '',
    status: response.status,
  })
}

/** Finds the bodies declared for the response's status. A problem's members are not known. */
function slotsOf(
  document: DocumentOperations,
  contract: Contract,
  response: Response,
): readonly Slot[] {
  const declared = findDeclaredResponse(contract, response)
  if (declared === null || 'problems' in declared) return []
  const members = planMembers(document)(contract).responses.get(declared.key)
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

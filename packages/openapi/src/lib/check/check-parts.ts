import { mediaTypeOf, readPieces } from '@plumbline/base'
import { plainIssues, pointerOf } from '@plumbline/problem/core'
import { runSchema } from '../schema/run-schema.ts'
import type { PartReader, ReadPart, StreamSpec } from '../spec/stream-spec.ts'
import { messageOf } from './read-content.ts'
import type { Violation } from './violation.ts'

/** Checks a stream's next part and returns the violations. */
export type CheckPart = (part: ReadPart) => Promise<readonly Violation[]>

/** A response's stream, with its checks. */
export interface CheckedStream {
  /** The status code, range or `default` that declares it. */
  readonly key: string
  /** Reads the parts from bytes. */
  createReader(): PartReader
  /** Creates a check for the parts of one response. */
  createCheck(): CheckPart
}

/** Creates a checker for one stream's parts, which are counted from 1. */
export function createPartChecker(operationId: string, { parts }: StreamSpec): CheckPart {
  let event = 0
  return async ({ name, value, fault }) => {
    event += 1
    const note = (message: string, pointer: string): Violation => ({
      kind: 'event-mismatch',
      operationId,
      message,
      event,
      pointer,
    })
    if (fault !== undefined) return [note(fault.message, '')]
    const schema = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (schema === undefined) return []
    const result = await runSchema(schema, value)
    if ('cause' in result) {
      return [note(`the schema threw an error: ${messageOf(result.cause)}`, '')]
    }
    return plainIssues(result.issues ?? []).map(({ message, path }) =>
      note(message, pointerOf(path)),
    )
  }
}

/** Whether a response has a media type of the declared stream. */
export function isStreamOf(stream: StreamSpec, { headers }: Response): boolean {
  return stream.mediaTypes.includes(mediaTypeOf(headers.get('Content-Type') ?? ''))
}

/** Checks the first parts of a response on a clone: at most two seconds, and one MiB. */
export async function checkFirstParts(
  { createCheck, createReader }: CheckedStream,
  response: Response,
): Promise<readonly Violation[]> {
  const [check, reader] = [createCheck(), createReader()]
  const parts: ReadPart[] = []
  const take = (taken: Iterable<ReadPart>): void => {
    // A spread of as many parts would exceed the stack.
    for (const part of taken) parts.push(part)
  }
  let rest = MEBIBYTE
  try {
    const hasEnded = await readPieces(response.clone().body, TIMEOUT_MS, (piece) => {
      take(reader.read(piece.subarray(0, rest)))
      rest -= piece.byteLength
      return rest <= 0
    })
    if (hasEnded) take(reader.end())
  } catch (cause) {
    const message = `the stream failed: ${messageOf(cause)}`
    parts.push({ name: '', value: undefined, fault: { code: 'incomplete', message, cause } })
  }
  const violations: Violation[] = []
  for (const part of parts) violations.push(...(await check(part)))
  return violations
}

const TIMEOUT_MS = 2_000
const MEBIBYTE = 1024 * 1024

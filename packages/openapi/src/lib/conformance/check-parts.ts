import { plainIssues, pointerOf } from '@plumbline/problem/core'
import { mediaTypeOf } from '../http/media-types.ts'
import { runSchema } from '../schema/run-schema.ts'
import type { ReadPart, StreamSpec } from '../spec/stream-spec.ts'
import { messageOf, readPieces } from './read-content.ts'
import type { Violation } from './violation.ts'

/** Checks the next part of a stream and returns its violations. */
export type CheckPart = (part: ReadPart) => Promise<readonly Violation[]>

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
    if (fault !== undefined) return [note(fault, '')]
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
  operationId: string,
  stream: StreamSpec,
  response: Response,
): Promise<readonly Violation[]> {
  const check = createPartChecker(operationId, stream)
  const reader = stream.format.createReader()
  const parts: ReadPart[] = []
  let size = 0
  try {
    const hasEnded = await readPieces(response.clone().body, PATIENCE, (piece) => {
      size += piece.byteLength
      parts.push(...reader.read(piece))
      return size >= MEBIBYTE
    })
    if (hasEnded) parts.push(...endOf(reader))
  } catch (error) {
    parts.push({ name: '', value: undefined, fault: `the stream failed: ${messageOf(error)}` })
  }
  const violations: Violation[] = []
  for (const part of parts) violations.push(...(await check(part)))
  return violations
}

/** The stream's last part, or a fault if the stream ended within a part. */
export function endOf(
  reader: ReturnType<StreamSpec['format']['createReader']>,
): readonly ReadPart[] {
  const { parts, isCut } = reader.end()
  return isCut ? [{ name: '', value: undefined, fault: CUT }] : parts
}

const CUT = 'the stream ended within this part'
const PATIENCE = 2_000
const MEBIBYTE = 1024 * 1024

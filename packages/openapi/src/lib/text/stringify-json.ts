import { pointerOf } from '@plumbline/problem/core'
import { failure, type Result, success } from '@plumbline/result'
import type { Document } from '../openapi.ts'
import { OpenAPIStringifyError } from './errors.ts'
import { findUnserializable } from './serializable.ts'

/**
 * Writes a document as JSON. It is separate from `stringify`, so a service that only serves JSON does not load the YAML
 * library.
 */
export function stringifyJson(
  document: Document,
  indent: number,
): Result<string, OpenAPIStringifyError> {
  const fault = findValueFault(document)
  return fault ? failure(fault) : success(`${JSON.stringify(document, null, indent)}\n`)
}

/** Finds a document's first value that JSON cannot represent. */
export function findValueFault(document: Document): OpenAPIStringifyError | null {
  const found = findUnserializable(document)
  return found ? new OpenAPIStringifyError(found.fault, pointerOf(found.path)) : null
}

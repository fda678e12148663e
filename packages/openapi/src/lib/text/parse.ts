import { type Forms, requireOptions } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import { failure, type Result, success } from '@plumbline/result'
import {
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  load,
  type ScalarTagDefinition,
  YAMLException,
} from 'js-yaml'
import type { Document } from '../openapi.ts'
import { checkShape, type ParsedVersion, type ShapeFault } from './check-document.ts'
import { OpenAPIParseError } from './errors.ts'
import { findJsonFault } from './json-fault.ts'
import {
  findComplexKey,
  findKeyPosition,
  findPosition,
  findSecondDocument,
  positionAt,
} from './position.ts'
import { findUnserializable } from './serializable.ts'

/** Which documents `parse` accepts. */
export interface ParseOptions {
  /** OpenAPI versions without their patch numbers; defaults to `3.1`. */
  readonly versions?: readonly ParsedVersion[]
}

/**
 * Reads an OpenAPI 3.1 document from JSON if the text starts with `{`, otherwise from YAML 1.2.
 *
 * Checks whether `openapi` is 3.1.x or another of the `versions`, whether `info` has a title and a version, and the
 * types of the top-level fields. Does not check operations. Rejects YAML with duplicate keys, several documents,
 * aliases expanding to more than ten times the text, or values JSON cannot represent. Throws a TypeError for options
 * that are not valid.
 *
 * @example
 * ```ts
 * import { parse } from '@plumbline/openapi'
 * import { isFailure, unwrap } from '@plumbline/result'
 *
 * unwrap(parse('openapi: 3.1.1\ninfo: { title: Books, version: "1" }')).info.title //=> 'Books'
 *
 * const rejected = parse('openapi: 3.1.1\ninfo:\n  title: Books\n  version: 1\n')
 * isFailure(rejected) && rejected.error.line //=> 4
 * ```
 */
export function parse(
  text: string,
  options: ParseOptions = {},
): Result<Document, OpenAPIParseError> {
  requireOptions<ParseOptions>('parse', options, FORMS)
  const { versions = ['3.1'] } = options
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    const value = source.startsWith('{') ? parseJsonDocument(source) : parseIndented(source)
    const fault = checkShape(value, versions)
    if (fault) throw parseError(fault, source)
    // Only the fields at the top were checked; the type also describes the fields below them.
    return success(value as Document)
  } catch (error) {
    if (error instanceof OpenAPIParseError) return failure(error)
    throw error
  }
}

const VERSIONS: readonly unknown[] = ['3.1', '3.2'] satisfies ParsedVersion[]
const FORMS: Forms<ParseOptions> = {
  versions: [
    "a list with '3.1', '3.2' or both",
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => VERSIONS.includes(one)),
  ],
}

/** Indented text may be flow YAML or JSON. Only JSON may have duplicate keys. */
function parseIndented(source: string): unknown {
  if (!/^\s*\{/.test(source)) return parseYaml(source)
  try {
    return parseFiniteJson(source)
  } catch {
    return parseYaml(source)
  }
}

function parseJsonDocument(source: string): unknown {
  try {
    return parseFiniteJson(source)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const fault = findJsonFault(source)
    const expected = fault?.expected ?? 'a JSON text'
    const position = fault ? positionAt(source, fault.offset) : null
    throw new OpenAPIParseError({ code: 'invalid-json', expected }, '', position, source)
  }
}

/** `JSON.parse` reads numbers beyond a double's range as Infinity, which JSON cannot represent. */
function parseFiniteJson(source: string): unknown {
  const value: unknown = JSON.parse(source)
  const mayBeInfinite = LARGE_NUMBER.test(source) && !hasFiniteNumbers(value)
  const found = mayBeInfinite ? findUnserializable(value) : null
  if (found) throw parseError(found, source)
  return value
}

function hasFiniteNumbers(json: unknown): boolean {
  const found = [json]
  // The list grows while it is read; recursion could exceed the stack.
  for (const value of found) {
    if (typeof value === 'number' && !Number.isFinite(value)) return false
    if (typeof value !== 'object' || value === null) continue
    for (const member of Object.values(value)) found.push(member)
  }
  return true
}

// The largest double is below 1e309. A number with fewer digits and a shorter exponent is below 1e299. With one digit
// at the start of both, the search takes a third of the time.
const LARGE_NUMBER = /\d(?:\d{199}|[eE]\+?\d{3})/

/** Parses YAML. Without aliases, and if all numbers are finite, JSON can represent every value. */
function parseYaml(source: string): unknown {
  try {
    return load(source, { schema: FINITE_SCHEMA, maxAliases: 0, maxDepth: 400 })
  } catch {
    // The slower parser finds the same fault and its position.
    return parseUnusualYaml(source)
  }
}

function parseUnusualYaml(source: string): unknown {
  const value = loadYaml(source)
  // Without an anchor every value is in the text once.
  const limit = source.includes('&')
    ? Math.max(10_000, source.length * 10)
    : Number.MAX_SAFE_INTEGER
  const found = findUnserializable(value, limit)
  if (found) throw parseError(found, source)
  return value
}

function loadYaml(source: string): unknown {
  try {
    // Deeper than the limit in findUnserializable, which also reports the path.
    return load(source, { maxDepth: 1_000 })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const key = findComplexKey(source)
    if (key) throw new OpenAPIParseError({ code: 'invalid-key' }, '', key, source)
    const { reason, mark } = error
    const position = mark
      ? { line: mark.line + 1, column: mark.column + 1 }
      : findSecondDocument(source)
    throw new OpenAPIParseError({ code: 'invalid-yaml', reason }, '', position, source)
  }
}

function parseError(
  { fault, path, isOfKey = false }: ShapeFault,
  source: string,
): OpenAPIParseError {
  const position = isOfKey ? findKeyPosition(source, path) : findPosition(source, path)
  return new OpenAPIParseError(fault, pointerOf(path), position, source)
}

/** Makes a tag throw for YAML numbers JSON cannot represent, such as `.inf` or `1e999`. */
function finite(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return defineScalarTag(tag.tagName, {
    ...tag,
    resolve: (...given) => {
      const number = tag.resolve(...given)
      if (typeof number === 'number' && !Number.isFinite(number)) throw new RangeError()
      return number
    },
  })
}

const FINITE_SCHEMA = CORE_SCHEMA.withTags(finite(intCoreTag), finite(floatCoreTag))

import { isJsonObject, type JsonObject, type Step } from '@plumbline/base'
import type { ParseFault } from './errors.ts'

/** An OpenAPI version without the patch number. */
export type ParsedVersion = '3.1' | '3.2'

/** A fault in a document's shape, and its place. */
export interface ShapeFault {
  readonly path: readonly Step[]
  readonly fault: ParseFault
  /** Whether the path's last key is at fault, not its value. */
  readonly isOfKey?: boolean
}

/**
 * Checks a document's version, `info` and top-level shape; null if they are valid.
 *
 * Deviation: a document may lack `paths`, `components` and `webhooks` together (OpenAPI 3.1.1 §4.8.1). Programs that
 * add operations to a head need it; see decisions/documents-without-paths.md.
 */
export function checkShape(
  document: unknown,
  versions: readonly ParsedVersion[] = ['3.1'],
): ShapeFault | null {
  if (!isJsonObject(document)) return invalidType([], 'the document', 'an object')
  return (
    checkVersion(document, versions) ??
    checkInfo(document.info) ??
    checkRecord(document, 'paths', (name) => name.startsWith('/')) ??
    checkRecord(document, 'webhooks') ??
    checkComponents(document.components) ??
    checkList(document, 'servers', 'url') ??
    checkList(document, 'tags', 'name') ??
    checkSecurity(document.security)
  )
}

function checkVersion(
  { openapi: version, swagger }: JsonObject,
  versions: readonly ParsedVersion[],
): ShapeFault | null {
  if (version === undefined && swagger !== undefined) {
    const found = `Swagger ${typeof swagger === 'string' ? swagger.slice(0, MAX_LENGTH) : '2.0'}`
    return unsupported('swagger', found, versions, convertTo(versions))
  }
  if (version === undefined) return missing([], 'openapi')
  if (typeof version !== 'string') return notText(['openapi'], 'openapi', '3.1.1')
  const [, minor] = VERSION.exec(version) ?? []
  if (versions.some((one) => one === minor)) return null
  const found = `OpenAPI ${version.slice(0, MAX_LENGTH)}`
  return unsupported('openapi', found, versions, remedyFor(version, minor, versions))
}

function unsupported(
  field: string,
  found: string,
  versions: readonly ParsedVersion[],
  remedy: string,
): ShapeFault {
  const expected = versions.map((one) => `${one}.x`).join(' or ')
  return {
    path: [field],
    fault: { code: 'unsupported-version', found, versions: expected, remedy },
  }
}

function remedyFor(
  version: string,
  minor: string | undefined,
  versions: readonly ParsedVersion[],
): string {
  if (minor === '3.1' || minor === '3.2') {
    const all = [...versions, minor].map((one) => `'${one}'`).join(', ')
    return `give parse the option versions: [${all}]`
  }
  const isOlder = /^(?:[12]\.|3\.0\.)/.test(version)
  return isOlder ? convertTo(versions) : `write a version such as ${versions[0] ?? '3.1'}.1`
}

function convertTo([version = '3.1']: readonly ParsedVersion[]): string {
  return `convert it to OpenAPI ${version}`
}

function checkInfo(info: unknown): ShapeFault | null {
  if (info === undefined) return missing([], 'info')
  if (!isJsonObject(info)) return invalidType(['info'], 'info', 'an object')
  for (const [name, example] of INFO) {
    if (info[name] === undefined) return missing(['info'], `info.${name}`)
    if (typeof info[name] !== 'string') return notText(['info', name], `info.${name}`, example)
  }
  return null
}

function checkRecord(
  parent: JsonObject,
  name: string,
  isKey: (key: string) => boolean = () => true,
): ShapeFault | null {
  const record = parent[name]
  if (record === undefined) return null
  if (!isJsonObject(record)) return invalidType([name], name, 'an object')
  for (const [key, value] of Object.entries(record)) {
    if (key.startsWith('x-')) continue
    const path = [name, key]
    if (!isKey(key)) return { path, fault: { code: 'invalid-path' }, isOfKey: true }
    if (!isJsonObject(value)) return invalidType(path, 'the value', 'an object')
  }
  return null
}

function checkComponents(components: unknown): ShapeFault | null {
  if (components === undefined) return null
  if (!isJsonObject(components)) return invalidType(['components'], 'components', 'an object')
  for (const kind of Object.keys(components)) {
    if (kind.startsWith('x-')) continue
    const named = components[kind]
    if (!isJsonObject(named)) return invalidType(['components', kind], kind, 'an object')
    for (const [name, value] of Object.entries(named)) {
      // OpenAPI 3.1.1 §4.8.24: a schema may be a boolean.
      if (isJsonObject(value) || (kind === 'schemas' && typeof value === 'boolean')) continue
      return invalidType(['components', kind, name], 'the value', 'an object')
    }
  }
  return null
}

function checkList(parent: JsonObject, name: string, key: string): ShapeFault | null {
  const list = parent[name]
  if (list === undefined) return null
  if (!Array.isArray(list)) return invalidType([name], name, 'a list')
  const at = list.findIndex((one) => !isJsonObject(one) || typeof one[key] !== 'string')
  return at < 0 ? null : invalidType([name, at], 'the value', `an object with a string ${key}`)
}

function checkSecurity(security: unknown): ShapeFault | null {
  if (security === undefined) return null
  if (!Array.isArray(security)) return invalidType(['security'], 'security', 'a list')
  const isScopes = (scopes: unknown): boolean =>
    Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')
  const at = security.findIndex((one) => !isJsonObject(one) || !Object.values(one).every(isScopes))
  return at < 0
    ? null
    : invalidType(['security', at], 'the value', 'an object whose values are lists of scopes')
}

function missing(path: readonly Step[], field: string): ShapeFault {
  return { path, fault: { code: 'missing-field', field } }
}

function invalidType(path: readonly Step[], subject: string, expected: string): ShapeFault {
  return { path, fault: { code: 'invalid-type', subject, expected } }
}

/** YAML reads a version without quotes as a number. */
function notText(path: readonly Step[], subject: string, example: string): ShapeFault {
  return invalidType(path, subject, `a string, such as "${example}" in quotes`)
}

const INFO = [
  ['title', 'Books'],
  ['version', '1.0.0'],
] as const
const MAX_LENGTH = 40
const VERSION = /^(3\.\d+)\.\d+(?:-.+)?$/

import { isObject, type JsonObject } from '../json/object.ts'
import type { Step } from '../schema/walk.ts'

/** What is wrong with the shape of a document, and where. */
export interface ShapeFault {
  readonly path: readonly Step[]
  readonly message: string
  /** Whether the last step of the path is wrong, and not the value that it leads to. */
  readonly isOfKey?: boolean
}

/** Checks the version, `info`, and the top-level shape of a document; null when all is well. */
export function checkShape(document: unknown): ShapeFault | null {
  if (!isObject(document)) return { path: [], message: 'the document must be an object' }
  return (
    checkVersion(document.openapi) ??
    checkInfo(document.info) ??
    checkRecord(document, 'paths', (name) =>
      name.startsWith('/') || name.startsWith('x-') ? null : 'a path must start with /',
    ) ??
    checkRecord(document, 'webhooks') ??
    checkComponents(document.components) ??
    checkList(document, 'servers', 'url') ??
    checkList(document, 'tags', 'name') ??
    checkSecurity(document.security)
  )
}

function checkVersion(version: unknown): ShapeFault | null {
  if (typeof version === 'string' && VERSION.test(version)) return null
  const path = ['openapi']
  if (version === undefined) return { path: [], message: 'openapi is missing' }
  if (typeof version === 'string') {
    return { path, message: `openapi must be 3.1.x, not ${version.slice(0, 40)}` }
  }
  return { path, message: 'openapi must be a string, such as "3.1.1" in quotes' }
}

function checkInfo(info: unknown): ShapeFault | null {
  if (info === undefined) return { path: [], message: 'info is missing' }
  if (!isObject(info)) return { path: ['info'], message: 'info must be an object' }
  for (const name of ['title', 'version']) {
    if (info[name] === undefined) return { path: ['info'], message: `info.${name} is missing` }
    if (typeof info[name] !== 'string') {
      return { path: ['info', name], message: `info.${name} must be a string` }
    }
  }
  return null
}

function checkRecord(
  parent: JsonObject,
  name: string,
  refuse: (key: string) => string | null = () => null,
): ShapeFault | null {
  const record = parent[name]
  if (record === undefined) return null
  if (!isObject(record)) return { path: [name], message: `${name} must be an object` }
  for (const [key, value] of Object.entries(record)) {
    const message = refuse(key)
    if (message !== null) return { path: [name, key], message, isOfKey: true }
    if (!key.startsWith('x-') && !isObject(value)) {
      return { path: [name, key], message: 'must be an object' }
    }
  }
  return null
}

function checkComponents(components: unknown): ShapeFault | null {
  if (components === undefined) return null
  if (!isObject(components)) return { path: ['components'], message: 'must be an object' }
  for (const kind of Object.keys(components)) {
    // OpenAPI 3.1.1 §4.8.24: a schema may be a boolean.
    if (kind.startsWith('x-')) continue
    const named = components[kind]
    if (!isObject(named)) return { path: ['components', kind], message: 'must be an object' }
    for (const [name, value] of Object.entries(named)) {
      if (isObject(value) || (kind === 'schemas' && typeof value === 'boolean')) continue
      return { path: ['components', kind, name], message: 'must be an object' }
    }
  }
  return null
}

function checkList(parent: JsonObject, name: string, key: string): ShapeFault | null {
  const list = parent[name]
  if (list === undefined) return null
  if (!Array.isArray(list)) return { path: [name], message: `${name} must be a list` }
  const at = list.findIndex((one) => !isObject(one) || typeof one[key] !== 'string')
  return at < 0 ? null : { path: [name, at], message: `must be an object with a string ${key}` }
}

function checkSecurity(security: unknown): ShapeFault | null {
  if (security === undefined) return null
  if (!Array.isArray(security)) return { path: ['security'], message: 'security must be a list' }
  const isScopes = (scopes: unknown): boolean =>
    Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')
  const at = security.findIndex((one) => !isObject(one) || !Object.values(one).every(isScopes))
  const message = 'must be an object whose values are lists of scopes'
  return at < 0 ? null : { path: ['security', at], message }
}

const VERSION = /^3\.1\.\d+(?:-.+)?$/

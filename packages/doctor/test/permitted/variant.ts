import { ERROR_SCHEMA } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { answers, type Body, type Change } from '../fault.ts'
import type { ReferenceOptions } from '../reference.ts'

/** A correct server that differs from the reference in one behavior that the standard permits. */
export interface Variant {
  /** The behavior, as a sentence without a period. */
  readonly name: string
  /** The section that permits it. */
  readonly section: string
  /** Whether every check still runs, so that a server may have several such behaviors. */
  readonly isShared?: true
  /** The topics of the checks that meet the behavior, and of those that do not run; all by default. */
  readonly topics?: readonly string[]
  readonly change?: Change
  readonly reference?: ReferenceOptions
}

/** The body of an error. */
export function errorOf(status: number, scimType?: string, detail = 'rejected'): Body {
  return { schemas: [ERROR_SCHEMA], status: String(status), scimType, detail }
}

/** The answer of a rejected request. */
export function rejects(status: number, scimType?: string): { status: number; body: Body } {
  return { status, body: errorOf(status, scimType) }
}

/** Applies changes one after the other. */
export function all(...changes: readonly Change[]): Change {
  return (correct) => changes.reduce((fetch, change) => change(fetch), correct)
}

/** Changes each resource in a response: one, those of a list, and those of bulk operations. */
export function shows(
  path: string,
  change: (resource: Body) => unknown,
  methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH'],
): Change {
  return all(
    ...methods.map((method) =>
      answers(`${method} ${path}*`, ({ status, body }) => {
        if (status >= 300 || body === undefined) return false
        for (const one of body.Resources ?? [body]) change(one)
        return true
      }),
    ),
  )
}

/** Changes the ServiceProviderConfig. */
export function configures(change: (config: Body) => unknown): Change {
  return answers('GET /ServiceProviderConfig', ({ body }) => void change(body))
}

/** Changes attributes of the core schema of users, for the documents and for the store. */
export function declares(
  change: (attribute: Discovery.Attribute) => Discovery.Attribute,
  urn = 'core:2.0:User',
): ReferenceOptions {
  return {
    definitions: (definitions) =>
      Object.fromEntries(
        Object.entries(definitions).map(([id, definition]) => [
          id,
          id.endsWith(urn)
            ? { ...definition, attributes: definition.attributes.map(change) }
            : definition,
        ]),
      ),
  }
}

/** Declares attributes with other characteristics. */
export function declaresAs(
  names: readonly string[],
  rest: Partial<Discovery.Attribute>,
): ReferenceOptions {
  return declares((one) => (names.includes(one.name) ? ({ ...one, ...rest } as typeof one) : one))
}

import type { Step } from '../schema/walk.ts'

/** What the references to component schemas start with. */
export const COMPONENTS = '#/components/schemas/'

/** What a component name matches (OpenAPI 3.1.1 §4.8.7.1). */
export const NAME: RegExp = /^[a-zA-Z0-9._-]+$/

/** A component as a reference names it. */
export function referenceTo(name: string): string {
  return `${COMPONENTS}${name}`
}

/** `book list` and `book-list` become BookList; steps that name nothing of the schema become nothing. */
export function titleOf(step: Step): string {
  if (typeof step === 'number' || SILENT.has(step)) return ''
  return step
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

const SILENT: ReadonlySet<string> = new Set(['properties', 'anyOf', 'oneOf', 'allOf', 'items'])

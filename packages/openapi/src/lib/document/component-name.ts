import type { Step } from '@plumbline/base'

/** The prefix all references to component schemas share. */
export const COMPONENTS = '#/components/schemas/'

/** The valid component names (OpenAPI 3.1.1 §4.8.7.1). */
export const NAME: RegExp = /^[a-zA-Z0-9._-]+$/

/** The reference to a component. */
export function referenceTo(name: string): string {
  return `${COMPONENTS}${name}`
}

/** `book list` and `book-list` become BookList; a keyword such as `items` becomes an empty string. */
export function toTitle(step: Step): string {
  if (typeof step === 'number' || SILENT.has(step)) return ''
  return step
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

const SILENT: ReadonlySet<string> = new Set(['properties', 'anyOf', 'oneOf', 'allOf', 'items'])

/**
 * Folds the letter case of a name, a URN or a value without `caseExact`: two of them are the same if their folded
 * strings are equal (RFC 7643 §2.1, §2.2). Use it for index keys, so they agree with filters.
 *
 * Deviation: RFC 7644 §7.8 asks for PRECIS preparation, which neither clients nor databases do.
 *
 * @example
 * ```ts
 * import { fold } from '@plumbline/scim'
 *
 * const users = new Map([[fold('Ada@Example.com'), { id: '1' }]])
 * users.get(fold('ada@example.COM')) //=> { id: '1' }
 * ```
 * @see RFC 7643 §2.2
 */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Folds ASCII letters only, as databases fold a column. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, fold)
}

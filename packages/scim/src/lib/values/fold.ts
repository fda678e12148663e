/**
 * Names and case-insensitive values are compared in this form.
 *
 * Deviation: RFC 7644 §7.8 asks for PRECIS preparation, which neither clients nor databases do.
 */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Throws a TypeError for a header's value with characters HTTP does not permit, such as U+007F (RFC 9110 §5.5). */
export function checkFieldValue(name: string, value: string): void {
  if (!FIELD_VALUE.test(value)) {
    throw new TypeError(`the header ${name} contains a character that HTTP does not permit`)
  }
}

// RFC 9110 §5.5: VCHAR, obs-text, SP and HTAB.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

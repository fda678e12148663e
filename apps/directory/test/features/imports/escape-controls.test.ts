import { expect, it } from 'vitest'
import { escapeControls } from '../../../src/features/imports/escape-controls.ts'

it.each([
  ['an escape sequence', '\u001b[2Ja', '\\u001b[2Ja'],
  ['a line feed', 'a\nb', 'a\\u000ab'],
  ['a mark that reverses the text after it', '\u202Ea', '\\u202ea'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['an invisible character beyond the first plane', '\u{E0001}a', '\\u{e0001}a'],
  ['other text', 'Zoë 日本 😀', 'Zoë 日本 😀'],
])('%s is printed with escapes where necessary', (_, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped)
})

/** Escapes control characters in text of another server or a file: they could change a terminal. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (one) => {
    const code = (one.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

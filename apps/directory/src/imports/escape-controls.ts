/** Writes control and invisible characters of foreign text as JSON escapes: they could change what a terminal shows. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (one) =>
    Array.from({ length: one.length }, (_, at) => escapeUnit(one.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

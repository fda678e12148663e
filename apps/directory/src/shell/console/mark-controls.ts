/**
 * Shows the invisible characters that change the direction of text, such as U+202E, in a page's HTML. A name could
 * look like another one with them. Attributes and fields keep their values.
 */
export function markControls(page: string): string {
  return page.replace(PARTS, (found, kept: string | undefined) => kept ?? nameOf(found))
}

function nameOf(character: string): string {
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`
}

/** A field with text or a tag, which are kept, or an embedding, an override or an isolate (Unicode UAX 9 §2). */
const PARTS = /(<textarea\b[^>]*>[^<]*<\/textarea>|<[^>]*>)|[\u202A-\u202E\u2066-\u2069]/g

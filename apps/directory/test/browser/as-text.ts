/** A string as a page shows it: HTML turns CR into LF, and the console names characters that change the direction of text. */
export function asText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(
      /[\u202A-\u202E\u2066-\u2069]/g,
      (found) => `⟨U+${found.charCodeAt(0).toString(16).toUpperCase()}⟩`,
    )
}

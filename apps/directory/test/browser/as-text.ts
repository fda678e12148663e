/** A string as a browser parses it: HTML turns CR into LF. */
export function asText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

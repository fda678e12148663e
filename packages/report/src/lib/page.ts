import { html, type Markup } from './markup.ts'
import { STYLES } from './styles.ts'
import { THEME } from './theme.ts'

/**
 * Writes a page that looks like the directory's console, in the reader's preferred colors, light or dark. It does not
 * load or run anything.
 */
export function writePage(title: string, main: Markup): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${THEME}${STYLES}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
  return page.markup
}

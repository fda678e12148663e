import { html, type Markup } from './markup.ts'

/**
 * Writes one page in the colors the reader prefers, light or dark. It does not load or run anything. `styles` are
 * added to the common ones, which color the classes `good`, `bad`, `warn` and `dim`.
 */
export function writePage(title: string, styles: Markup, main: Markup): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${COMMON}${styles}</style>
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

const COMMON = html`
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #4ac26b); --bad: light-dark(#b42318, #ff7b72); --warn: light-dark(#8a5a00, #e3b341); --rule: light-dark(#d0d7de, #3d444d); --box: light-dark(#f6f8fa, #1c2128); --dim: light-dark(#57606a, #9198a1); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.3rem 0.5rem 0.3rem 0; text-align: left; vertical-align: top; }
code, pre { font: 0.85rem/1.4 ui-monospace, monospace; unicode-bidi: isolate; }
details { margin: 0.3rem 0; }
summary { cursor: pointer; }
ul { padding-left: 1.2rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
.dim { color: var(--dim); }
`

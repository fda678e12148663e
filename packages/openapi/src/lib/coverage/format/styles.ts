import { html, type Markup } from './markup.ts'

/** The page's styles, for light and dark. */
export const STYLES: Markup = html`
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #4ac26b); --bad: light-dark(#b42318, #ff7b72); --rule: light-dark(#d0d7de, #3d444d); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; vertical-align: top; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
details { border-bottom: 1px solid var(--rule); padding: 0.3rem 0; }
summary { cursor: pointer; }
.covered { color: var(--good); }
.uncovered, .failures { color: var(--bad); }
`

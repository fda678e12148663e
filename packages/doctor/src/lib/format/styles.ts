import { html, type Markup } from './markup.ts'

/** The styles of the page, for light and dark, narrow and wide. */
export const STYLES: Markup = html`
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #4ac26b); --bad: light-dark(#b42318, #ff7b72); --warn: light-dark(#8a5a00, #e3b341); --rule: light-dark(#d0d7de, #3d444d); --box: light-dark(#f6f8fa, #1c2128); --dim: light-dark(#57606a, #9198a1); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.3rem 0.5rem 0.3rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; }
code, pre { font: 0.85rem/1.4 ui-monospace, monospace; unicode-bidi: isolate; }
pre { background: var(--box); border: 1px solid var(--rule); border-radius: 6px; padding: 0.6rem; margin: 0.3rem 0; white-space: pre-wrap; max-height: 24rem; overflow: auto; }
article { border: 1px solid var(--rule); border-left: 4px solid var(--rule); border-radius: 6px; padding: 0.8rem; margin: 0.8rem 0; }
article.must, article.defined { border-left-color: var(--bad); }
article.should { border-left-color: var(--warn); }
dl { margin: 0.5rem 0; } dt { color: var(--dim); font-size: 0.85rem; } dd { margin: 0 0 0.4rem; }
details { margin: 0.3rem 0; }
summary { cursor: pointer; }
ul { padding-left: 1.2rem; }
.passed, .good { color: var(--good); }
.failed, .broken, .bad { color: var(--bad); }
.incomplete, .blocked { color: var(--warn); }
.dim, .skipped { color: var(--dim); }
`

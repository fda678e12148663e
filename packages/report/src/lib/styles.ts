import { html, type Markup } from './markup.ts'

/** The daisyUI components used in reports, with the console's class names and looks, without its style sheets. */
export const STYLES: Markup = html`
* { box-sizing: border-box; }
body { margin: 0; background: var(--color-base-100); color: var(--color-base-content); font: 0.875rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { display: flex; flex-direction: column; gap: 1rem; max-width: 72rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
main > section, .card { display: flex; flex-direction: column; gap: 0.75rem; }
main > section { margin-top: 0.75rem; }
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; }
h1, h2, h3 { font-weight: 600; line-height: 1.3; }
h1 { font-size: 1.375rem; } h1 code { font-size: 1.125rem; font-weight: 400; } h2 { font-size: 1rem; } h3 { font-size: 0.875rem; }
ul { padding-left: 1.25rem; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre { padding: 0.75rem; border: 1px solid var(--color-base-300); border-radius: var(--radius-box); background: var(--color-base-200); white-space: pre-wrap; max-height: 24rem; overflow: auto; }
:focus-visible { outline: 2px solid var(--color-primary); outline-offset: 2px; }
.hint { color: var(--color-muted); font-size: 0.8125rem; }
.success { color: var(--color-success); }
.warning { color: var(--color-warning); }
.error { color: var(--color-error); }

.alert { padding: 0.75rem 1rem; border: 1px solid color-mix(in oklab, var(--alert-color) 10%, var(--color-base-100)); border-radius: var(--radius-box); background: color-mix(in oklab, var(--alert-color) 8%, var(--color-base-100)); }
.alert > * + * { margin-top: 0.25rem; }
.alert > :first-child { color: var(--alert-color); font-weight: 600; }
.alert-success { --alert-color: var(--color-success); }
.alert-warning { --alert-color: var(--color-warning); }
.alert-error { --alert-color: var(--color-error); }

.badge { display: inline-block; padding: 0 0.5rem; border: 1px solid color-mix(in oklab, var(--badge-color) 10%, var(--color-base-100)); border-radius: var(--radius-selector); background: color-mix(in oklab, var(--badge-color) 8%, var(--color-base-100)); color: var(--badge-color); font-size: 0.75rem; white-space: nowrap; }
.badge-success { --badge-color: var(--color-success); }
.badge-warning { --badge-color: var(--color-warning); }
.badge-error { --badge-color: var(--color-error); }
.badge-neutral { --badge-color: var(--color-neutral); }

.card { padding: 1rem; border: 1px solid var(--color-base-300); border-radius: var(--radius-box); }
.facts div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 1rem; padding-block: 0.375rem; border-bottom: 1px solid var(--color-base-300); }
.facts dt { color: var(--color-muted); }
summary { padding-block: 0.2rem; cursor: pointer; }
details > :not(summary) { margin: 0.25rem 0 0.5rem; }
section > details + details { margin-top: -0.5rem; }
details details:not(:last-child) { margin-bottom: 0; }

.table { width: 100%; border: 1px solid var(--color-base-300); border-radius: var(--radius-box); border-spacing: 0; font-size: 0.8125rem; }
.table :is(th, td) { padding: 0.3rem 1rem; text-align: left; vertical-align: top; }
.table tbody th { font-weight: 500; }
.table tr:not(:last-child) :is(th, td), .table thead th { border-bottom: 1px solid var(--color-base-300); }
.table thead th { position: sticky; top: 0; background: var(--color-base-200); color: var(--color-muted); font-weight: 600; white-space: nowrap; }
.table thead th:first-child { border-top-left-radius: var(--radius-box); }
.table thead th:last-child { border-top-right-radius: var(--radius-box); }
.table tbody tr:hover { background: var(--color-base-200); }
.table .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }

@media (width < 40rem) {
  .facts div { grid-template-columns: minmax(0, 1fr); }
  .table :is(th, td) { padding-inline: 0.375rem; }
}

@media print {
  main { max-width: none; padding: 0; }
  pre { max-height: none; }
  h2, h3, summary { break-after: avoid; }
  tr, .facts div { break-inside: avoid; }
  .table thead th { position: static; }
}
`

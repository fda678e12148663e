import { html } from 'hono/html'
import type { Html, Part } from '../html.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Part
  /** A class of the cells in `console.css`, such as `number`, which aligns them on the right. */
  readonly className?: string
}

/** A table. Its first column names the row. On a narrow screen it scrolls on its own. */
export function table<Row>({
  caption,
  columns,
  rows,
  empty,
  id,
}: {
  /** Names the table, also for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Replaces a table without rows; see `emptyState`. */
  readonly empty: Part
  /** For a script that adds rows. */
  readonly id?: string
}): Html {
  if (rows.length === 0 && id === undefined) return html`${empty}`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${id !== undefined && html` id="${id}"`}>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map(({ title, className }) => html`<th scope="col"${classOf(className)}>${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => tableRow(columns, row))}
</tbody></table></div>${rows.length === 0 && empty}`
}

/** A row of a table, also for a script that adds it. */
export function tableRow<Row>(columns: readonly Column<Row>[], row: Row): Html {
  return html`
<tr>${columns.map((column, at) => cellOf(column, row, at === 0))}</tr>`
}

/** The explanation of a list without entries, and what to do about it. */
export function emptyState(text: string, action?: Part): Html {
  return html`<div class="empty"><p>${text}</p>${action !== undefined && html`<p>${action}</p>`}</div>`
}

/** Links to a list's pages; an absent page is not linked. */
export function pager({
  previous,
  previousText = 'Previous page',
  next,
  position,
}: {
  readonly previous?: string | undefined
  /** `First page` for a list whose pages are only found from the ones before. */
  readonly previousText?: string
  readonly next?: string | undefined
  /** Such as `1 to 50 of 1,000`. */
  readonly position?: Part
}): Html | '' {
  if (previous === undefined && next === undefined && position === undefined) return ''
  return html`<nav class="pager" aria-label="Pages">
${previous !== undefined && html`<a rel="prev" href="${previous}">${previousText}</a>`}
${position !== undefined && html`<span>${position}</span>`}
${next !== undefined && html`<a rel="next" href="${next}">Next page</a>`}
</nav>`
}

/** Names and values. A value that is null is shown as a dash. */
export function definitionList(entries: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl>${entries.map(
    ([name, value]) => html`
<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`,
  )}
</dl>`
}

function cellOf<Row>({ cell, className }: Column<Row>, row: Row, isFirst: boolean): Html {
  const content = cell(row) ?? '–'
  return isFirst
    ? html`<th scope="row"${classOf(className)}>${content}</th>`
    : html`<td${classOf(className)}>${content}</td>`
}

function classOf(className: string | undefined): Html | '' {
  return className === undefined ? '' : html` class="${className}"`
}

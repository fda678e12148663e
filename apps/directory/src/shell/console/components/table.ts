import { html } from 'hono/html'
import type { Html, Part } from '../html.ts'
import { icon } from './icon.ts'

/** A table column. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Part
  /**
   * A class for the cells, defined in `console.css`: `number` aligns them on the right, `cut` takes the remaining
   * space, and `wrap` breaks lines. Other cells have one line.
   */
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
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="table table-sm"${id !== undefined && html` id="${id}"`}>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map(({ title, className }) => html`<th scope="col"${classOf(className)}>${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => tableRow(columns, row))}
</tbody></table></div>${rows.length === 0 && empty}`
}

/** A table row. The script for adding rows uses it, too. */
export function tableRow<Row>(columns: readonly Column<Row>[], row: Row): Html {
  return html`
<tr>${columns.map((column, at) => cellOf(column, row, at === 0))}</tr>`
}

/** Explains an empty list and what to do about it, for example with a `buttonLink`. */
export function emptyState(text: Part, action?: Part): Html {
  return html`<div class="empty">${icon('inbox')}<div>${text}</div>${action}</div>`
}

/** A link that looks like a button. */
export function buttonLink(
  href: string,
  text: string,
  { isPrimary = true }: { readonly isPrimary?: boolean } = {},
): Html {
  return html`<a class="btn${isPrimary && ' btn-primary'}" href="${href}">${text}</a>`
}

/** Links to a list's pages; an absent page is not linked. */
export function pager({
  previous,
  previousText = 'Previous page',
  next,
  position,
}: {
  readonly previous?: string | undefined
  /** `First page` for a list whose pages can only be reached from the preceding ones. */
  readonly previousText?: string
  readonly next?: string | undefined
  /** Such as `1 to 50 of 1,000`. */
  readonly position?: Part
}): Html | '' {
  if (previous === undefined && next === undefined && position === undefined) return ''
  return html`<nav class="pager" aria-label="Pages">
${previous !== undefined && html`<a rel="prev" href="${previous}" class="btn btn-sm">${previousText}</a>`}
${position !== undefined && html`<span>${position}</span>`}
${next !== undefined && html`<a rel="next" href="${next}" class="btn btn-sm">Next page</a>`}
</nav>`
}

/** A list with names and values. Null values are shown as a dash. */
export function definitionList(entries: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">${entries.map(
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

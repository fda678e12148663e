import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import type { Html } from '../html.ts'

/** A bar in a chart. Both numbers are null if they aren't known. */
export interface Bar {
  readonly label: string
  readonly all: number | null
  /** A part of `all`, drawn in another color. */
  readonly part: number | null
}

/** A chart's names. */
export interface ChartNames {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  /** The content in a sentence, for screen readers. */
  readonly description: string
}

/** Draws a bar chart as SVG, as wide as its container. Its numbers must also be in a table. */
export function barChart({
  bars,
  allName,
  partName,
  ...names
}: ChartNames & {
  readonly bars: readonly Bar[]
  readonly allName: string
  readonly partName: string
}): Html {
  const most = Math.max(0, ...bars.map(({ all }) => all ?? 0))
  const width = bars.length * BAR
  return html`<figure class="chart">
<figcaption>${names.title} <span class="chart-key chart-all">${allName}</span> <span class="chart-key chart-part">${partName}</span></figcaption>
${picture(
  names,
  width,
  bars.map(({ label, all, part }, at) => {
    if (all === null) return ''
    const text = `${label}: ${count(all)} ${allName}, ${count(part ?? 0)} ${partName}`
    return html`<g><title>${text}</title>${column(at, HEIGHT, 'chart-hit')}${column(at, heightOf(all, most), 'chart-all')}${column(at, heightOf(part ?? 0, most), 'chart-part')}</g>
`
  }),
)}
${axis([bars[0]?.label, `at most ${count(most)}`, bars.at(-1)?.label])}
</figure>`
}

/** A number at a point in time; null if it isn't known. */
export interface Point {
  readonly label: string
  readonly value: number | null
}

/** Draws a line as SVG, scaled from the least to the greatest number. Its numbers must also be in a table. */
export function lineChart({
  points,
  ...names
}: ChartNames & { readonly points: readonly Point[] }): Html {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const heightAt = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - 5 - ((value - least) / (most - least)) * (HEIGHT - 10)
  const places = points.flatMap(({ value }, at) =>
    value === null ? [] : `${at * BAR},${rounded(heightAt(value))}`,
  )
  return html`<figure class="chart chart-small">
<figcaption>${names.title}</figcaption>
${picture(names, Math.max(1, points.length - 1) * BAR, html`<polyline class="chart-line" points="${places.join(' ')}" />`)}
${axis([points[0]?.label, known.length > 0 && (least === most ? count(least) : `${count(least)} to ${count(most)}`), points.at(-1)?.label])}
</figure>`
}

function picture(
  { id, title, description }: ChartNames,
  width: number,
  content: Html | readonly (Html | '')[],
): Html {
  return html`<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">${description}</desc>
${content}</svg>`
}

function column(at: number, height: number, className: string): Html | '' {
  if (height === 0) return ''
  const y = rounded(HEIGHT - height)
  return html`<rect class="${className}" x="${at * BAR + 1}" y="${y}" width="${BAR - 2}" height="${rounded(height)}" />`
}

/** Keeps every non-zero number visible. */
function heightOf(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT)
}

function axis(labels: readonly (string | false | undefined)[]): Html {
  return html`<p class="chart-axis">${labels.map((label) => html`<span>${label}</span>`)}</p>`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

const BAR = 10
const HEIGHT = 100

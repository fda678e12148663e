import { html } from 'hono/html'
import { count } from '../../kernel/counts.ts'
import { PERIODS, type Period } from '../../kernel/store/buckets.ts'
import { type Bar, barChart, lineChart } from '../console/components/chart.ts'
import { table } from '../console/components/table.ts'
import { time } from '../console/components/text.ts'
import type { ConsoleApi, ConsoleContext } from '../console/context.ts'
import type { Html } from '../console/html.ts'
import { routes } from '../console/routes.ts'
import { TYPE_PAGES, type TypePage } from '../console/type-pages.ts'

/** A tenant's activity, in the API form. */
export type Activity = Extract<
  Awaited<ReturnType<ConsoleApi['getActivity']>>,
  { readonly status: 200 }
>['body']

type ActivityPoint = Activity['points'][number]

/** The periods' names. */
export const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  day: '24 hours',
  week: '7 days',
  month: '30 days',
}

/** Charts for a period's requests, users and groups, and their numbers in a table. */
export function activityCharts(
  { params, now }: Pick<ConsoleContext<{ readonly tenantId: string }>, 'params' | 'now'>,
  activity: Activity,
  period: Period,
): Html {
  const { points, step } = activity
  const bars = points.map((point) => ({
    label: labelOf(point, step),
    all: point.requests,
    part: point.errors,
  }))
  return html`${periodLinks(params, period)}
${barChart({
  id: 'requests',
  title: `Requests in ${PERIOD_NAMES[period]}, by the ${step} (UTC)`,
  allName: 'requests',
  partName: 'errors',
  bars,
  description: describeBars(bars),
})}
<div class="chart-pair">${TYPE_PAGES.map((page) => resourceChart(page, activity))}</div>
${missing(activity, now())}
<details><summary>The numbers of the charts</summary>
${table({
  caption: `The ${step}s (UTC), the newest first. The numbers of resources are those at the end.`,
  columns: [
    {
      title: step === 'hour' ? 'Hour' : 'Day',
      cell: (point) => html`<time datetime="${point.time}">${labelOf(point, step)}</time>`,
    },
    { title: 'Requests', className: 'number', cell: ({ requests }) => numberOf(requests) },
    { title: 'Errors', className: 'number', cell: ({ errors }) => numberOf(errors) },
    ...TYPE_PAGES.map(({ type, title }) => ({
      title,
      className: 'number',
      cell: ({ resources }: ActivityPoint) => numberOf(resources[type.name]),
    })),
  ],
  rows: points.toReversed(),
  empty: null,
})}</details>`
}

function periodLinks({ tenantId }: { readonly tenantId: string }, period: Period): Html {
  return html`<nav class="actions" aria-label="Period">${PERIODS.map((one) => {
    const href = routes.tenant.href({ tenantId }, { period: one })
    const current = one === period && html` aria-current="page"`
    return html`<a class="btn btn-sm" href="${href}"${current}>${PERIOD_NAMES[one]}</a>`
  })}</nav>`
}

function resourceChart({ type, title }: TypePage, { points, step }: Activity): Html {
  const numbers = points.map((point) => ({
    label: labelOf(point, step),
    value: point.resources[type.name] ?? null,
  }))
  const first = numbers.find(({ value }) => value !== null)
  const last = numbers.at(-1)
  const description = `From ${numberOf(first?.value)} at ${first?.label} to ${numberOf(last?.value)}.`
  return lineChart({ id: title.toLowerCase(), title, description, points: numbers })
}

/** Describes the chart's content in a sentence. */
function describeBars(bars: readonly Bar[]): string {
  const sumOf = (key: 'all' | 'part') => bars.reduce((sum, bar) => sum + (bar[key] ?? 0), 0)
  const all = sumOf('all')
  if (all === 0) return 'There were 0 requests.'
  const [most] = bars.toSorted((a, b) => (b.all ?? 0) - (a.all ?? 0))
  return `There were ${count(all)} requests, of which ${count(sumOf('part'))} were rejected. The most were ${count(most?.all ?? 0)} at ${most?.label}.`
}

/** Says where the numbers start, if it is within the period. */
function missing({ points, requestsSince, resourcesSince }: Activity, now: number): Html | '' {
  const start = points[0]?.time ?? ''
  const isLater = (since: string | null) => since !== null && since > start
  if (!isLater(requestsSince) && !isLater(resourcesSince)) return ''
  return html`<p class="hint">${isLater(requestsSince) && html`The oldest request that the log has, or that was counted, is of ${time(requestsSince, now)}. `}${isLater(resourcesSince) && html`Older changes were deleted or not counted: the lines start at ${time(resourcesSince, now)}.`}</p>`
}

/** Formats an hour or a day, such as `2026-11-22 14:00`. */
function labelOf({ time: text }: ActivityPoint, step: Activity['step']): string {
  return step === 'day' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}

function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : count(value)
}

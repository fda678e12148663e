import type { LiveComparison, LiveItem } from '../compare-live.ts'
import { countOf, describeViolation, escapeControls } from '../view.ts'

/** Writes a comparison between production and tests as text. */
export function writeLive(
  { violated, untested, unseen, period }: LiveComparison,
  days: number,
): string {
  const observed = period === null ? 0 : Math.floor((period.to - period.from) / DAY)
  const isShort = observed < days
  const short = `  The reports are about ${countOf(observed, 'day')}, too few to tell.`
  const lines = [
    'Violated in production:',
    ...orNone(
      violated.flatMap((violation) => {
        const { exchange, fault } = describeViolation(violation)
        return [`  ${countOf(violation.count ?? 1, 'exchange')}: ${exchange}`, `    ${fault}`]
      }),
    ),
    '',
    'Seen in production, and not in a test:',
    ...orNone(untested.map((item) => `  ${describe(item)} (${countOf(item.count, 'exchange')})`)),
    '',
    `Not seen in production for ${countOf(days, 'day')}:`,
    ...(isShort ? [short] : orNone(unseen.map((item) => `  ${describe(item)} (${last(item)})`))),
  ]
  return `${lines.map(escapeControls).join('\n')}\n`
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['  none']
}

function describe({ operationId, kind, name }: LiveItem): string {
  return kind === 'operation'
    ? `${name}, the whole operation`
    : `${operationId ?? 'default problem'} ${name}`
}

function last({ seen }: LiveItem): string {
  return seen === null ? 'never' : `last on ${new Date(seen).toISOString().slice(0, 10)}`
}

const DAY = 24 * 60 * 60 * 1_000

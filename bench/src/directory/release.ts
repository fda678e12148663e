import { printBudget, ratiosOf } from '../budget.ts'

/** A figure that once became worse unnoticed. */
export type Figure =
  | 'memory of an idle server'
  | 'processor time of a start'
  | `a page of 100 at the end of 10,000 users in a group, ${Database}`
  | `99th percentile of reads by id, 32 connections, ${Database}`

export type Database = 'SQLite' | 'PostgreSQL'

/** A figure's measurements, and a bare program's, measured in turns. */
export interface Measured {
  readonly figure: Figure
  readonly unit: 'ms' | 'MB'
  readonly ours: readonly number[]
  readonly bare: readonly number[]
}

/**
 * Prints each figure as a multiple of a bare program's, which depends less on the machine, next to the last release's
 * figure, and whether the budgets are met.
 */
export function printComparisonWithRelease(all: readonly Measured[]): void {
  console.log(`\n| | measured | of the bare program's | release ${RELEASE} |`)
  console.log('| --- | --- | --- | --- |')
  for (const { figure, unit, ours, bare } of all) {
    const ratio = median(ratiosOf(ours, bare)).toFixed(2)
    const measured = `${median(ours).toPrecision(3)} ${unit}`
    console.log(`| ${figure} | ${measured} | ${ratio}× | ${releaseOf(figure)} |`)
  }
  for (const { figure, ours, bare } of all) {
    const limit = { of: figure, against: 'the bare program', atMost: FIGURES[figure].atMost }
    printBudget(limit, ratiosOf(ours, bare))
  }
}

function releaseOf(figure: Figure): string {
  return `${FIGURES[figure].release}×`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const RELEASE = '2026.11.21'

/** The release's figures as this group printed them, and the budgets, in multiples of the bare program's. */
const FIGURES: Readonly<Record<Figure, { readonly release: number; readonly atMost: number }>> = {
  'memory of an idle server': { release: 1.97, atMost: 2.1 },
  'processor time of a start': { release: 8.57, atMost: 8 },
  'a page of 100 at the end of 10,000 users in a group, SQLite': { release: 16.68, atMost: 25 },
  'a page of 100 at the end of 10,000 users in a group, PostgreSQL': { release: 1.58, atMost: 4 },
  '99th percentile of reads by id, 32 connections, SQLite': { release: 1.14, atMost: 4 },
  '99th percentile of reads by id, 32 connections, PostgreSQL': { release: 0.7, atMost: 2 },
}

import { expect, it } from 'vitest'
import { barChart, lineChart } from '../../../src/shell/console/components/chart.ts'

const NAMES = { id: 'a', title: 'Requests & errors', description: 'There were 2 requests.' }

/** The rectangles of a chart: class, x, y, width and height. */
const rectanglesIn = (markup: string) =>
  Array.from(markup.matchAll(/<rect ([^>]+) \/>/g), ([, text = '']) =>
    Array.from(text.matchAll(/"([^"]+)"/g), ([, value]) => value).join(' '),
  )

const bars = async (...numbers: readonly (readonly [number | null, number | null])[]) => {
  const list = numbers.map(([all, part], at) => ({ label: `${at}:00`, all, part }))
  const chart = barChart({ ...NAMES, allName: 'requests', partName: 'errors', bars: list })
  return (await chart).toString()
}

it('a chart has a title and a description for screen readers, which are escaped', async () => {
  const markup = await bars([2, 0])
  expect(markup).toContain('<svg role="img" aria-labelledby="a-title" aria-describedby="a-text"')
  expect(markup).toContain('<title id="a-title">Requests &amp; errors</title>')
  expect(markup).toContain('<desc id="a-text">There were 2 requests.</desc>')
  expect(markup).not.toContain('style=')
})

it("the highest bar has the chart's height, and errors are the lower part", async () => {
  const markup = await bars([1_000, 500], [250, 0])
  expect(markup).toContain('viewBox="0 0 20 100"')
  expect(rectanglesIn(markup)).toEqual([
    'chart-hit 1 0 8 100',
    'chart-all 1 0 8 100',
    'chart-part 1 50 8 50',
    'chart-hit 11 0 8 100',
    'chart-all 11 75 8 25',
  ])
  expect(markup).toContain('<title>0:00: 1,000 requests, 500 errors</title>')
  expect(markup).toContain('<span>at most 1,000</span>')
})

it('one error among a million requests is visible', async () => {
  expect(rectanglesIn(await bars([1_000_000, 1]))).toContain('chart-part 1 98 8 2')
})

it('an unknown number is not drawn, and differs from zero', async () => {
  expect(rectanglesIn(await bars([null, null], [0, 0]))).toEqual(['chart-hit 11 0 8 100'])
})

const lineOf = async (...values: readonly (number | null)[]) => {
  const points = values.map((value, at) => ({ label: `day ${at}`, value }))
  const markup = (await lineChart({ ...NAMES, points })).toString()
  return [/points="([^"]*)"/.exec(markup)?.[1], /<span>(.*)<\/p>/.exec(markup)?.[1]]
}

it.each([
  [[10, 20, 15], '0,95 10,5 20,50', 'day 0</span><span>10 to 20</span><span>day 2</span>'],
  [[7, 7], '0,50 10,50', 'day 0</span><span>7</span><span>day 1</span>'],
  [[null, 3, 4], '10,95 20,5', 'day 0</span><span>3 to 4</span><span>day 2</span>'],
  [[null, 3], '10,50', 'day 0</span><span>3</span><span>day 1</span>'],
  [[null], '', 'day 0</span><span></span><span>day 0</span>'],
])('the line for %j goes from the least to the greatest number', async (values, ...expected) => {
  expect(await lineOf(...values)).toEqual(expected)
})

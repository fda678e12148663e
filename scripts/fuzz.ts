/**
 * Runs the libraries on random input, and on input that grows:
 * `npm run fuzz -- [--cases 100000] [--seed 7] [--only text]`. Whatever the input, a function returns a
 * value or a typed failure, changes neither its input nor a prototype, and runs in linear time. The seed of
 * a run is printed; the same seed generates the same cases.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { GROWTHS, type Growth, measure } from './fuzz/growth.ts'
import { openapiTargets } from './fuzz/openapi.ts'
import { scimTargets } from './fuzz/scim.ts'
import type { Target } from './fuzz/target.ts'

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
})
const cases = Number(options.cases)
const seed = Number(options.seed)
/** A case that takes longer, in milliseconds, fails: inputs are small. */
const SLOW = 2_000
/** Four times the input may take this many times as long: 4 is linear, 16 is quadratic. */
const MAX_GROWTH = 9

const selected = <Item extends { readonly name: string }>(all: readonly Item[]): Item[] =>
  all.filter(({ name }) => name.includes(options.only))
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const inherited = (): string =>
  prototypes.map((one) => Reflect.ownKeys(one).map(String).join()).join()

console.log(`seed ${seed}, ${cases} cases for each target`)
let failed = 0
for (const target of selected([...scimTargets, ...openapiTargets])) await fuzz(target)
for (const growth of selected(GROWTHS)) await grow(growth)
process.exitCode = failed === 0 ? 0 : 1

async function fuzz({ name, property }: Target): Promise<void> {
  const before = inherited()
  let slowest = 0
  const timed = async (run: () => unknown): Promise<void> => {
    const started = performance.now()
    await run()
    const elapsed = performance.now() - started
    slowest = Math.max(slowest, elapsed)
    if (elapsed > SLOW) throw new Error(`one case took ${Math.round(elapsed)} ms`)
    if (inherited() !== before) throw new Error('a prototype has changed')
  }
  const details = await fc.check(property(timed), { numRuns: cases, seed, endOnFailure: false })
  print(!details.failed, name, `slowest case ${slowest.toFixed(1)} ms`)
  if (details.failed) console.log(fc.defaultReportMessage(details))
}

async function grow(growth: Growth): Promise<void> {
  let ratio = await measure(growth)
  // On a busy machine a ratio can be too large by chance. Slow code is slow again.
  for (let again = 0; ratio > MAX_GROWTH && again < 2; again += 1) ratio = await measure(growth)
  const sizes = `${growth.size} to ${4 * growth.size}: ${ratio.toFixed(1)} times as long`
  print(ratio <= MAX_GROWTH, growth.name, sizes)
}

function print(isOk: boolean, name: string, note: string): void {
  if (!isOk) failed += 1
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name} (${note})`)
}

/**
 * Prints the bytes a document or an import adds to the heap: `heap.ts document zod-openapi`. It runs in a separate
 * process, with `--expose-gc`.
 */
import { readFileSync } from 'node:fs'
import { BUILDERS, plans } from './documents.ts'
import { amount } from './short.ts'

const manifest = new URL('../../packages/scim/package.json', import.meta.url)
const { exports: entries } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>
}

/** A package's modules. Not /data-table, which needs another package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  plumbline: Object.keys(entries)
    .filter((entry) => entry !== './data-table')
    .map((entry) => `@plumbline/scim${entry.slice(1)}`),
  scimmy: ['scimmy'],
  small: ['scim-patch', 'scim2-parse-filter'],
}

const [, , kind, name = ''] = process.argv
const kept: unknown[] = []
console.log(kind === 'document' ? await heapOfDocument() : await heapOfImport())

async function heapOfDocument(): Promise<number> {
  const build = Object.entries(BUILDERS).find(([builder]) => builder === name)?.[1]
  if (build === undefined) throw new Error(`unknown builder: ${name}`)
  // The first document loads code and fills caches, which do not grow with documents.
  await build(plans(10))
  const input = plans(amount(1_000, 10))
  kept.push(input)
  return await growth(() => build(input))
}

async function heapOfImport(): Promise<number> {
  const modules = PACKAGES[name]
  if (modules === undefined) throw new Error(`unknown package: ${name}`)
  return await growth(async () => {
    const loaded = []
    for (const module of modules) loaded.push(await import(module))
    return loaded
  })
}

/** Measures the heap still in use after the work, with the result. */
async function growth(work: () => unknown): Promise<number> {
  const before = heap()
  kept.push(await work())
  return heap() - before
}

function heap(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

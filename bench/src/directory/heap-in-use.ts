import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { collectGarbage } from '../compare.ts'

/** Returns the heap bytes in use after a full collection, and after the work it causes. */
export async function heapInUse(): Promise<number> {
  collectGarbage({ type: 'major' })
  await setTimeout(0)
  collectGarbage({ type: 'major' })
  return process.memoryUsage().heapUsed
}

/** Returns the resident memory as Linux counts it: the second number, in pages of 4 KiB. */
export function resident(): string {
  const pages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[1])
  return megabytes(pages * 4_096)
}

/** Formats bytes in MB. */
export function megabytes(bytes: number, digits = 0): string {
  return `${(bytes / 2 ** 20).toFixed(digits)} MB`
}

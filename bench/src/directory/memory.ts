import { amount } from '../short.ts'
import { heapInUse, megabytes, resident } from './heap-in-use.ts'
import { ask, type Setting } from './setting.ts'

const FILTERS = amount(80_000, 100)
const EVERY = amount(5_000, 50)
const ATTRIBUTES = ['userName', 'displayName', 'nickName', 'title', 'userType', 'externalId']
const OPERATORS = ['co', 'sw', 'ew', 'eq', 'ne', 'gt', 'lt']

/**
 * Prints the process's memory while it runs filters that all differ. Garbage is collected before each reading, so a
 * leak is not confused with garbage.
 */
export async function memory(
  setting: Pick<Setting, 'what' | 'directory' | 'token'>,
): Promise<void> {
  console.log(`\nMemory over ${FILTERS} different filters, ${setting.what}\n`)
  console.log('| filters | resident | heap in use |\n| --- | --- | --- |')
  for (let number = 0; number <= FILTERS; number += 1) {
    if (number % EVERY === 0) {
      const heap = megabytes(await heapInUse())
      console.log(`| ${number} | ${resident()} | ${heap} |`)
    }
    await ask(setting, 'GET', `/Users?count=1&filter=${encodeURIComponent(filterOf(number))}`)
  }
}

/** A filter with eight comparisons. Their attributes and operators are the number's digits. */
function filterOf(number: number): string {
  let left = number
  const next = (from: readonly string[]): string | undefined => {
    const digit = left % from.length
    left = Math.floor(left / from.length)
    return from[digit]
  }
  const comparisons = Array.from(
    { length: 8 },
    () => `${next(ATTRIBUTES)} ${next(OPERATORS)} "v${number}"`,
  )
  return comparisons.join(' or ')
}

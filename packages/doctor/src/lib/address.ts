import type { Check } from './check.ts'
import { CHECKS } from './checks.ts'

/** The site: `homepage` in the root `package.json`. */
const SITE = 'https://plumbline.example'

/** Returns the address where the site explains a code, on one of the pages in `troubleshooting`. */
export function addressOfCode(page: string, code: string): string {
  return `${SITE}/troubleshooting/${page}.html#${code.replaceAll('.', '')}`
}

const OWN: ReadonlySet<string> = new Set(CHECKS.map(({ id }) => id))

/** Returns the address where the site explains a check; null for a check from an application. */
export function addressOf({ id }: Pick<Check, 'id'>): string | null {
  const [topic = id] = id.split('.')
  return OWN.has(id) ? addressOfCode(`checks/${topic}`, id) : null
}

import type { Check } from './check.ts'
import { CHECKS } from './checks.ts'

/** The site: `homepage` in the root `package.json`. */
const SITE = 'https://plumbline.example'

/** The address of the section that explains a code, on one of the site's pages in `troubleshooting`. */
export function addressOfCode(page: string, code: string): string {
  return `${SITE}/troubleshooting/${page}.html#${code.replaceAll('.', '')}`
}

const OWN: ReadonlySet<string> = new Set(CHECKS.map(({ id }) => id))

/** The address of the section that explains a check; null for a check of an application. */
export function addressOf({ id }: Pick<Check, 'id'>): string | null {
  const [topic = id] = id.split('.')
  return OWN.has(id) ? addressOfCode(`checks/${topic}`, id) : null
}

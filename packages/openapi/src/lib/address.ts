/** The site: `homepage` in the root `package.json`. */
const SITE = 'https://plumbline.example'

/** Returns the URL explaining a code, a section on one of the site's `troubleshooting` pages. */
export function addressOfCode(page: string, code: string): string {
  return `${SITE}/troubleshooting/${page}.html#${code.replaceAll('.', '')}`
}

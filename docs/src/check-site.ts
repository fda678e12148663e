import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Finds broken links in the built pages, pages that follow themselves, and files loaded from another origin. */
export function checkSite(site: string): string[] {
  const files = globSync('**/*.html', { cwd: site }).sort()
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const known = anchors.get(file) ?? new Set(idsOf(readFileSync(join(site, file), 'utf8')))
    anchors.set(file, known)
    return known
  }
  return files.flatMap((file) => {
    const html = readFileSync(join(site, file), 'utf8')
    return [
      ...foreignFiles(html).map((url) => `${file}: loads ${url}`),
      ...neighborsOf(html)
        .filter((link) => fileOf(link, file) === file)
        .map((link) => `${file}: the next or previous page is the page itself (${link})`),
      ...linksOf(html).flatMap((link) => {
        const { hash } = new URL(link, `http://site/${file}`)
        const target = fileOf(link, file)
        if (!existsSync(join(site, target))) return [`${file}: ${link} does not exist`]
        const anchor = decodeURIComponent(hash.slice(1))
        const isFound = anchor === '' || posix.extname(target) !== '.html'
        return isFound || anchorsOf(target).has(anchor) ? [] : [`${file}: ${link} does not exist`]
      }),
    ]
  })
}

/** Returns the file of the site that a link in another file leads to. */
function fileOf(link: string, file: string): string {
  const { pathname } = new URL(link, `http://site/${file}`)
  return decodeURIComponent(pathname).replace(/\/$/, '/index.html').slice(1)
}

/** Returns the links to the next and to the previous page. */
function neighborsOf(html: string): string[] {
  const links = html.matchAll(/<a\b[^>]*? class="[^"]*\bpager-link\b[^"]*"[^>]*? href="([^"]*)"/g)
  return [...links].map(([, link = '']) => link)
}

function linksOf(html: string): string[] {
  const links = [...html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(([, link = '']) => link)
  return [...new Set(links)].filter((link) => !/^[a-z]+:/.test(link))
}

/** Returns the files a page loads from other origins. */
function foreignFiles(html: string): string[] {
  const tags = html.matchAll(/<(?:script|img|link|iframe|source)\b[^>]*? (?:src|href)="([^"]*)"/g)
  return [...tags].map(([, url = '']) => url).filter((url) => /^([a-z]+:)?\/\//.test(url))
}

function idsOf(html: string): string[] {
  return [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&'))
}

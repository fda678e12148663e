import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { replaceLinks } from '../../scripts/packages/links.ts'
import { REPOSITORY } from '../../scripts/packages/stage.ts'
import { root } from '../../scripts/run.ts'
import { expandFaults } from './faults.ts'
import { isProgram, PAGES, pageOf } from './sources.ts'

/** Writes the pages copied from repository documents, with links that work on the site. */
export function assemble(folder: string): void {
  for (const [file, page] of PAGES) {
    const text = readFileSync(join(root, file), 'utf8')
    writePage(
      folder,
      page,
      linked(showPrograms(expandFaults(page, text), file), { folder, file, page }),
    )
  }
}

/** Writes one page to the site. */
export function writePage(folder: string, page: string, text: string): void {
  const path = join(folder, page)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Adds a program's code below a paragraph with nothing but a link to it. */
function showPrograms(text: string, file: string): string {
  return text.replace(/^\[(?:[^\]\n]|\](?!\())+\]\(([^)#\s]+)\)$/gm, (link, target: string) => {
    const path = posix.join(posix.dirname(file), decodeURI(target))
    if (!isProgram(path)) return link
    const code = readFileSync(join(root, path), 'utf8').trimEnd()
    return `${link}\n\n\`\`\`${posix.extname(path).slice(1)}\n${code}\n\`\`\``
  })
}

interface Page {
  readonly folder: string
  readonly file: string
  readonly page: string
}

/** Links to site pages where they exist, and to the repository otherwise. Pictures are copied. */
function linked(text: string, { folder, file, page }: Page): string {
  return replaceLinks(text, (target) => {
    const [path = '', anchor] = target.split('#')
    const fragment = anchor === undefined ? '' : `#${anchor}`
    const source = posix.join(posix.dirname(file), path).replace(/\/$/, '')
    const to = /\.(png|svg)$/.test(path) ? copyPicture(folder, source) : pageOf(source)
    if (to === undefined) return `${REPOSITORY}/blob/HEAD/${source}${fragment}`
    const relative = posix.relative(posix.dirname(page), to)
    return `${relative.startsWith('.') ? relative : `./${relative}`}${fragment}`
  })
}

function copyPicture(folder: string, source: string): string {
  const to = `pictures/${posix.basename(source)}`
  mkdirSync(join(folder, 'pictures'), { recursive: true })
  copyFileSync(join(root, source), join(folder, to))
  return to
}

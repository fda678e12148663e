import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECTIONS } from './outline.ts'

/** A menu section, with its page titles. */
export interface MenuSection {
  readonly title: string
  readonly pages: readonly {
    readonly title: string
    readonly path: string
    /** The address. VitePress finds the next page of an `index` only by this form. */
    readonly link: string
  }[]
}

/** Reads page titles from their first headings. */
export function readMenu(pages: string): MenuSection[] {
  return SECTIONS.map((section) => ({
    title: section.title,
    pages: section.pages.map((path) => ({
      path,
      title: titleOf(pages, path),
      link: `/${path.replace(/(^|\/)index$/, '$1')}`,
    })),
  }))
}

function titleOf(pages: string, path: string): string {
  const title = /^# (.*)$/m.exec(readFileSync(join(pages, `${path}.md`), 'utf8'))?.[1]
  if (title === undefined) throw new Error(`${path} does not have a title`)
  return title.replace(/[`\\]/g, '')
}

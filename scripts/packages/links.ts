import { posix } from 'node:path'

/** Where the files of the repository can be read. */
export interface Place {
  /** The URL of the repository, without a trailing slash. */
  readonly repository: string
  /** The path of the document from the root folder, such as `packages/scim/README.md`. */
  readonly file: string
}

/**
 * Replaces the relative links of a Markdown document by links to the repository, because a registry shows
 * a README without the files next to it. Links within the document are left unchanged, and so is code.
 */
export function absoluteLinks(markdown: string, { repository, file }: Place): string {
  return replaceLinks(
    markdown,
    (target) => `${repository}/blob/HEAD/${posix.join(posix.dirname(file), target)}`,
  )
}

/** Replaces the targets of the relative links of a document, without those in code. */
export function replaceLinks(markdown: string, replace: (target: string) => string): string {
  return markdown
    .split(CODE)
    .map((part, at) => {
      if (at % 2 === 1) return part
      return part.replace(RELATIVE_LINK, (_, target: string) => `](${replace(target)})`)
    })
    .join('')
}

/** The targets of the relative links of a document, without those in code. */
export function relativeLinks(markdown: string): string[] {
  const prose = markdown.split(CODE).filter((_, at) => at % 2 === 0)
  return prose.flatMap((part) => [...part.matchAll(RELATIVE_LINK)].map(([, target = '']) => target))
}

/** The fragment that leads to a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

// The group makes `split` return the code between the prose.
const CODE = /(```[\s\S]*?```|`[^`\n]*`)/

const RELATIVE_LINK = /\]\((?![a-z][a-z0-9+.-]*:|#|\/)([^)\s]+)\)/g

/** The changes of a release in a changelog, and the changelog in which they have its version as their title. */
export interface Cut {
  readonly changelog: string
  /** The Markdown of the changes. */
  readonly changes: string
}

/** Gives the section *Unreleased* of a changelog a version. All packages are released, also those without a change. */
export function cutChangelog(changelog: string, version: string): Cut {
  if (changelog.includes(`\n## ${version}\n`))
    throw new Error(`${version} is in the changelog already`)
  const [, title = '', rest = ''] = /^(# .+\n)([\s\S]*)$/.exec(changelog) ?? []
  if (title === '') throw new Error('the changelog does not start with a title')
  const [before = '', after] = rest.split(/^## Unreleased\n/m)
  if (after === undefined) {
    return {
      changelog: `${title}\n## ${version}\n\n${NO_CHANGES}\n${rest}`,
      changes: NO_CHANGES,
    }
  }
  const end = after.search(/^## /m)
  const changes = (end === -1 ? after : after.slice(0, end)).trim()
  if (changes === '') throw new Error('the section Unreleased is empty')
  return { changelog: `${title}${before}## ${version}\n${after}`, changes }
}

const NO_CHANGES = 'No changes.'

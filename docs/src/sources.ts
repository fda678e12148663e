import { existsSync, globSync } from 'node:fs'
import { posix } from 'node:path'
import { root } from '../../scripts/run.ts'
import { ENTRIES, referencePage } from './reference.ts'

/** The repository documents shown on the site: each page's path, by its file. */
export const PAGES: ReadonlyMap<string, string> = new Map([
  ...pagesOf('docs/pages/**/*.md', (file) => file.replace('docs/pages/', '')),
  ...pagesOf('packages/{result,problem,openapi,contract,scim,doctor}/README.md', (file) =>
    file.replace('packages/', '').replace('README', 'index'),
  ),
  ...pagesOf('{packages,apps}/*/CHANGELOG.md', (file) => `changes/${file.split('/')[1]}.md`),
  ...pagesOf('apps/directory/README.md', () => 'directory/index.md'),
  ...pagesOf('apps/directory/UPGRADING.md', () => 'directory/upgrading.md'),
  ...pagesOf('apps/directory/docs/*.md', (file) =>
    file.replace('apps/directory/docs', 'directory'),
  ),
  ...pagesOf('decisions/*.md', (file) => file.replace('README', 'index')),
])

/** Returns the page for a file or folder, given its path in the repository; undefined if it is not on the site. */
export function pageOf(path: string): string | undefined {
  if (ENTRIES.has(path)) return referencePage(path)
  if (Object.hasOwn(GENERATED, path)) return GENERATED[path]
  return PAGES.get(path) ?? PAGES.get(posix.join(path, 'README.md'))
}

/** Returns whether a repository file can be shown in place of a link to it. */
export function isProgram(path: string): boolean {
  return /^examples\/.*\.(ts|js|prisma)$/.test(path) && existsSync(`${root}/${path}`)
}

function pagesOf(pattern: string, page: (file: string) => string): [string, string][] {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((file) => [file, page(file)])
}

/** The page with all settings, metrics and alerts. */
const SETTINGS = 'directory/settings.md'

/** Pages generated from a source file. */
const GENERATED: Readonly<Record<string, string>> = {
  'packages/doctor/src/lib/checks.ts': 'troubleshooting/checks/index.md',
  'apps/directory/src/shell/api/problems.ts': 'problems/index.md',
  'apps/directory/test/support/provider-runs/provider-runs.ts': 'concepts/provisioning.md',
  'apps/directory/src/commands/config.ts': SETTINGS,
  'apps/directory/src/features/metrics/metrics.ts': SETTINGS,
  'apps/directory/monitoring/rules.yaml': SETTINGS,
}

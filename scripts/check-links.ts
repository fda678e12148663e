/**
 * Checks the links between documents: each relative link of a Markdown file, and each path of a decision in
 * a comment, must lead to a file of the repository. The index of the decisions must list every page once,
 * with a title, and every page must end with "When to revisit".
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { slugOf } from './packages/links.ts'
import { root } from './run.ts'

const exclude = ['**/node_modules/**', '**/dist/**', '.*/**']
const documents = globSync('**/*.md', { cwd: root, exclude }).sort()
const sources = globSync('{packages,apps,bench,examples,validators}/**/*.ts', {
  cwd: root,
  exclude,
}).sort()
const findings = [
  ...documents.flatMap(brokenLinks),
  ...[...documents, ...sources].flatMap(missingDecisions),
  ...decisionFaults(),
]

for (const finding of findings) console.log(finding)
process.exitCode = findings.length === 0 ? 0 : 1

function brokenLinks(file: string): string[] {
  return linksOf(read(file)).flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(root, target))) return [`${file}: ${link} does not exist`]
    if (anchor === undefined || anchorsOf(read(target)).includes(anchor)) return []
    return [`${file}: ${target} does not have a heading for #${anchor}`]
  })
}

/** The targets of links outside of code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

function anchorsOf(text: string): string[] {
  const headings = text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) => slugOf(heading))
}

/** Comments name a decision by its path from the root folder. */
function missingDecisions(file: string): string[] {
  const named = read(file).match(/(?<![\w/.])decisions\/[\w-]+\.md/g) ?? []
  return named
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${file}: ${path} does not exist`)
}

function decisionFaults(): string[] {
  const index = linksOf(read('decisions/README.md')).filter((link) => /^[\w-]+\.md$/.test(link))
  return globSync('decisions/*.md', { cwd: root }).flatMap((file) => {
    if (file === 'decisions/README.md') return []
    const count = index.filter((link) => link === basename(file)).length
    return [
      ...(count === 1 ? [] : [`decisions/README.md: lists ${basename(file)} ${count} times`]),
      ...(/^# \S/.test(read(file)) ? [] : [`${file}: does not start with a title`]),
      ...(/\n## When to revisit\n\n\S[^#]*$/.test(read(file))
        ? []
        : [`${file}: does not end with "When to revisit"`]),
    ]
  })
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

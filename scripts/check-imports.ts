/**
 * Holds who may import whom: `result` ← `problem` ← `openapi`; `result` ← `scim`; the app may import
 * all four; and that the libraries import no built-in of a runtime and no package beyond their table.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './run.ts'

interface Rule {
  /** The packages that its sources may import: all of its runtime and peer dependencies. */
  readonly packages: readonly string[]
  /** Packages that only some files may import. */
  readonly only?: Readonly<Record<string, RegExp>>
}

const rules: Readonly<Record<string, Rule>> = {
  'packages/result': { packages: [] },
  'packages/problem': { packages: ['@plumbline/result', '@standard-schema/spec', 'zod'] },
  'packages/openapi': {
    packages: [
      '@plumbline/problem',
      '@plumbline/result',
      '@remix-run/route-pattern',
      '@standard-schema/spec',
      'js-yaml',
    ],
  },
  'packages/scim': {
    packages: ['@plumbline/result', '@remix-run/data-table', '@standard-schema/spec'],
    only: { '@remix-run/data-table': /^src\/(lib\/)?data-table[./]/ },
  },
}

const isTest = /\.(test|test-d|cases)\.ts$/
const findings: string[] = []

for (const [folder, rule] of Object.entries(rules)) {
  checkManifest(folder, rule)
  for (const file of globSync('{src,test}/**/*.ts', { cwd: join(root, folder) })) {
    checkFile(folder, file, rule)
  }
}

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

function checkFile(folder: string, file: string, rule: Rule): void {
  for (const name of importsOf(readFileSync(join(root, folder, file), 'utf8'))) {
    const refuse = (why: string): void => {
      findings.push(`${folder}/${file}: imports '${name}', ${why}`)
    }
    if (name.startsWith('.')) {
      const target = relative(join(root, folder), resolve(root, folder, dirname(file), name))
      if (target.startsWith('..')) refuse('which leaves the package')
      continue
    }
    if (isTest.test(file) || !file.startsWith('src/')) continue
    const owner = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0]
    if (!owner || !rule.packages.includes(owner)) refuse('which is not in its table')
    else if (rule.only?.[owner]?.test(file) === false) refuse('which only its own entry may import')
  }
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

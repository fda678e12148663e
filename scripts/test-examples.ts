/**
 * Runs the examples that are projects of their own, as a user gets them: installs the built packages and the
 * packages of the lockfile, checks the types and runs the tests. Then counts the lines of the user code, which is
 * all that a user writes next to the tables of their application. Needs `npm run build`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBuilt, root, run } from './run.ts'

/** The file with the user code of each example, and the maximum number of its lines. */
const USER_CODE: Readonly<Record<string, { readonly file: string; readonly most: number }>> = {
  'assistant-tools': { file: 'tools.ts', most: 100 },
  'doctor-report': { file: 'report.ts', most: 10 },
  'express-kysely': { file: 'scim.ts', most: 34 },
  'hono-api': { file: 'api.ts', most: 50 },
  'hono-drizzle': { file: 'scim.ts', most: 64 },
  jest: { file: 'recorder.js', most: 12 },
  'live-contract': { file: 'who-would-notice.ts', most: 80 },
  'many-operations': { file: 'document.ts', most: 20 },
  // The longest of its files.
  mounting: { file: 'fastify.ts', most: 8 },
  nextjs: { file: 'lib/scim.ts', most: 33 },
  'node-http': { file: 'scim.ts', most: 55 },
  opentelemetry: { file: 'trace.ts', most: 30 },
  prisma: { file: 'scim.ts', most: 34 },
  'reference-page': { file: 'server.ts', most: 28 },
  'typed-client': { file: 'browser.ts', most: 32 },
}

const wanted = process.argv.slice(2)
const names = globSync('examples/*/package-lock.json', { cwd: root })
  .map((file) => dirname(file).replace(/^examples\//, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort()
process.exitCode = (await main()) ? 0 : 1

async function main(): Promise<boolean> {
  if (!isBuilt()) return false
  let passes = names.length > 0
  for (const name of names) if (!(await testExample(name))) passes = false
  console.log(`\n${'user code'.padEnd(36)}lines  at most`)
  for (const name of names) if (!countExample(name)) passes = false
  return passes
}

async function testExample(name: string): Promise<boolean> {
  const folder = join(root, 'examples', name)
  const steps = [
    ['install', 'npm', 'ci', '--no-audit', '--no-fund'],
    ['types', 'tsc', '-p', '.'],
    ['tests', 'npm', 'test'],
  ] as const
  for (const [step, command, ...args] of steps) {
    const { code, output } = await run(command, args, folder)
    const counts = /^\D*pass (\d+)$/m.exec(output)?.[1]
    const passed = step === 'tests' && counts ? ` (${counts} passed)` : ''
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}: ${step}${passed}`)
    if (code === 0) continue
    console.log(output)
    return false
  }
  return true
}

function countExample(name: string): boolean {
  const { file, most } = USER_CODE[name] ?? { file: '', most: 0 }
  const path = join('examples', name, file)
  if (file === '') {
    console.log(`${name} is not in the table of scripts/test-examples.ts`)
    return false
  }
  const lines = countLines(readFileSync(join(root, path), 'utf8'))
  console.log(`${path.padEnd(36)}${String(lines).padStart(5)}  ${String(most).padStart(7)}`)
  return lines <= most
}

/** The lines of code, without imports, comments and empty lines. */
function countLines(source: string): number {
  const code = source
    .replace(/^import\b[^'"]*?['"].*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

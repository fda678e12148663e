/**
 * Checks that source files have at most 300 lines. Tests are not limited, and neither are files of data. (The
 * length of functions is a rule in `biome.json`, which excludes two files that are to be split.)
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

const MOST_LINES = 300

/** Files of data, and the reason. */
const DATA: Readonly<Record<string, string>> = {
  'packages/openapi/src/lib/openapi.ts': 'the object model of OpenAPI 3.1',
}

const isTest = /\.(test|test-d|cases)\.ts$/
const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).sort()
const findings = files.flatMap((file) => {
  if (isTest.test(file) || Object.hasOwn(DATA, file)) return []
  const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
  return lines > MOST_LINES ? [`${file}: ${lines} lines, at most ${MOST_LINES}`] : []
})
for (const file of Object.keys(DATA)) {
  if (!files.includes(file)) findings.push(`scripts/check-sizes.ts: ${file} does not exist`)
}

for (const finding of findings) console.log(finding)
process.exitCode = findings.length === 0 ? 0 : 1

/**
 * Finds functions and files that are too long to read. Every line counts, also an empty one and a comment, because a
 * reader scrolls past it. Usage: `node scripts/check-length.ts`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'
import { parseSource, type TypeScript, ts } from './syntax.ts'

const MAX_FUNCTION_LINES = 60
const MAX_FILE_LINES = 300
/** Files with only data, such as the object model of OpenAPI. */
const DATA = ['packages/openapi/src/lib/openapi.ts']

const files = globSync('{packages,apps}/*/src/**/*.ts', {
  cwd: root,
  exclude: ['**/*.{test,test-d,cases}.ts', ...DATA],
}).sort()
const findings = files.flatMap(findingsIn)
for (const finding of findings) console.log(finding)
process.exitCode = findings.length > 0 ? 1 : 0

function findingsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.trimEnd().split('\n').length
  const functions = functionsIn(parseSource(file, text))
  return [
    ...(lines > MAX_FILE_LINES ? [`${file}: ${lines} lines, at most ${MAX_FILE_LINES}`] : []),
    ...functions
      .filter((one) => one.lines > MAX_FUNCTION_LINES)
      .map(
        (one) =>
          `${file}:${one.line}: ${one.name} has ${one.lines} lines, at most ${MAX_FUNCTION_LINES}`,
      ),
  ]
}

interface FunctionLength {
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  readonly lines: number
}

/** Measures the functions of a file, also those within others. */
function functionsIn(source: TypeScript.SourceFile): readonly FunctionLength[] {
  const found: FunctionLength[] = []
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line + 1
  const visit = (node: TypeScript.Node): void => {
    if (ts.isFunctionLike(node)) {
      const line = lineOf(node.getStart())
      const name = node.name?.getText() ?? 'a function'
      found.push({ name, line, lines: lineOf(node.end) - line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './run.ts'
import type TypeScript from './tools/node_modules/typescript/lib/typescript.d.ts'

/** TypeScript 5: the compiler of the repository, TypeScript 7, does not have an interface for programs. */
export const ts: typeof TypeScript = createRequire(join(root, 'scripts/tools/package.json'))(
  'typescript',
)

export type { default as TypeScript } from './tools/node_modules/typescript/lib/typescript.d.ts'

/** Parses a file's text. */
export function parseSource(file: string, text: string): TypeScript.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

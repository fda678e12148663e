import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Mutant, rangeOf, type StrykerMutant } from './mutant.ts'

/** Lists all mutants of source files, with the instrumenter of the installed Stryker. */
export async function listMutants(
  stryker: string,
  folder: string,
  files: readonly string[],
): Promise<readonly Mutant[]> {
  const path = join(stryker, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js')
  const { Instrumenter } = (await import(pathToFileURL(path).href)) as InstrumenterModule
  const quiet = { debug: ignore, info: ignore, warn: ignore, isDebugEnabled: () => false }
  const options = { plugins: null, excludedMutations: [], ignorers: [] }
  const sources = new Map(
    files.map((file) => [join(folder, file), readFileSync(join(folder, file), 'utf8')]),
  )
  const { mutants } = await new Instrumenter(quiet).instrument(
    Array.from(sources, ([name, content]) => ({ name, content, mutate: true })),
    options,
  )
  return mutants.map((mutant) => describe(mutant, sources.get(mutant.fileName) ?? '', folder))
}

function describe(mutant: StrykerMutant, source: string, folder: string): Mutant {
  const { start, end } = mutant.location
  const line = source.split('\n')[start.line] ?? ''
  const stop = start.line === end.line ? end.column : line.length
  return {
    file: mutant.fileName.slice(folder.length + 1).replaceAll('\\', '/'),
    range: rangeOf(mutant.location),
    line: line.trim(),
    column: start.column - (line.length - line.trimStart().length),
    original: line.slice(start.column, stop).trim(),
    mutator: mutant.mutatorName,
    replacement: mutant.replacement,
  }
}

function ignore(): void {}

/** The part of Stryker's instrumenter that is used here. */
interface InstrumenterModule {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly {
        readonly name: string
        readonly content: string
        readonly mutate: boolean
      }[],
      options: object,
    ): Promise<{ readonly mutants: readonly StrykerMutant[] }>
  }
}

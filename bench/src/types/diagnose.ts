import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The repository's root. */
export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The `tsc --extendedDiagnostics` figures for one project. */
export interface Checked {
  readonly seconds: number
  readonly instantiations: number
  readonly megabytes: number
}

interface ProjectOptions {
  readonly types?: readonly string[]
  readonly conditions?: readonly string[]
}

/** Calls back with a temporary folder where the repository's and the benchmarks' packages are installed. */
export async function inProjects<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-types-'))
  try {
    const inner = join(folder, 'bench')
    mkdirSync(inner)
    // A package is first looked for in the inner folder.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    symlinkSync(join(root, 'bench/node_modules'), join(inner, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    return await use(inner)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Writes a project with these files and the repository's compiler options; returns its folder. `types` are the `@types`
 * packages to include. Our packages are resolved to their sources, unless `conditions` is empty.
 */
export function writeProject(
  folder: string,
  name: string,
  files: Readonly<Record<string, string>>,
  { types = [], conditions = ['@plumbline/source'] }: ProjectOptions = {},
): string {
  const project = join(folder, name)
  mkdirSync(project)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text)
  const compilerOptions = {
    noEmit: true,
    declaration: false,
    isolatedDeclarations: false,
    customConditions: conditions,
    types,
  }
  const options = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions,
    include: ['*.ts'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options))
  return project
}

/** Checks a project three times and returns the run with the median time; throws if it has an error. */
export async function diagnose(project: string): Promise<Checked> {
  const runs = []
  for (let done = 0; done < 3; done += 1) runs.push(await diagnoseOnce(project))
  return runs.sort((a, b) => a.seconds - b.seconds)[1] as Checked
}

/** Returns the compiler's messages for a project. */
export async function messagesFor(project: string): Promise<string> {
  const options = ['-p', project, '--pretty', 'false']
  const { stdout } = await promisify(execFile)(tsc, options, { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

async function diagnoseOnce(project: string): Promise<Checked> {
  const options = ['-p', project, '--extendedDiagnostics', '--singleThreaded']
  const { stdout } = await promisify(execFile)(tsc, options).catch((error: { stdout: string }) => {
    throw new Error(`there is an error in ${project}: ${error.stdout.slice(0, 2_000)}`)
  })
  return {
    seconds: figure(stdout, /^Check time:\s+([\d.]+)s$/m),
    instantiations: figure(stdout, /^Instantiations:\s+(\d+)$/m),
    megabytes: figure(stdout, /^Memory used:\s+(\d+)K$/m) / 1_000,
  }
}

function figure(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`tsc does not say ${pattern.source}: ${text}`)
  return Number(found)
}

const tsc = join(root, 'node_modules/.bin/tsc')

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sources } from '../types/sources.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The figures of `tsc --extendedDiagnostics` for one file. */
interface Checked {
  readonly seconds: number
  readonly instantiations: number
  readonly megabytes: number
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-types-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const rows = [
      { name: '@plumbline/openapi, 200 operations', ...(await check(folder, 'plumbline', 200)) },
      { name: '@plumbline/openapi, 1 operation', ...(await check(folder, 'plumbline', 1)) },
      {
        name: 'the floor: only the schemas of the 200 operations',
        ...(await check(folder, 'zod', 200)),
      },
      { name: '@hono/zod-openapi, the same 200', ...(await check(folder, 'hono', 200)) },
    ]
    console.log('\nType-check a file of operations\n')
    console.log('| | check time | instantiations | memory |\n| --- | --- | --- | --- |')
    for (const { name, seconds, instantiations, megabytes } of rows) {
      const count = instantiations.toLocaleString('en')
      console.log(`| ${name} | ${seconds.toFixed(2)} s | ${count} | ${megabytes.toFixed(0)} MB |`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The check with the median time of three; throws if the file has an error. */
async function check(folder: string, kind: string, count: number): Promise<Checked> {
  const project = join(folder, `${kind}-${count}`)
  mkdirSync(project)
  writeFileSync(join(project, 'operations.ts'), sources[kind]?.(count) ?? '')
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: true,
        declaration: false,
        isolatedDeclarations: false,
        customConditions: ['source'],
      },
      include: ['*.ts'],
    }),
  )
  const runs = []
  for (let done = 0; done < 3; done += 1) runs.push(await diagnose(project))
  return runs.sort((a, b) => a.seconds - b.seconds)[1] as Checked
}

async function diagnose(project: string): Promise<Checked> {
  const tsc = join(root, 'node_modules/.bin/tsc')
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

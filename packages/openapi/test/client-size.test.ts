import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const path = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))
const rolldown = fileURLToPath(new URL('../../../node_modules/.bin/rolldown', import.meta.url))

it('a bundle of a client with a manifest and types has at most 5 kB compressed, and no schemas', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-client-'))
  try {
    await writeFile(
      join(folder, 'entry.ts'),
      `import { createClient } from ${path('../src/client.ts')}
import type { operations, problems } from ${path('../src/lib/client/books.cases.ts')}
import manifest from './manifest.json'
export const client = createClient<typeof operations, typeof problems>(manifest, { baseUrl: '/api' })
`,
    )
    await writeFile(join(folder, 'manifest.json'), '{}')
    const args = [join(folder, 'entry.ts'), '--minify', '--platform', 'browser']
    await promisify(execFile)(rolldown, [...args, '-o', join(folder, 'out.js')])
    const bundle = await readFile(join(folder, 'out.js'))
    expect(gzipSync(bundle).byteLength).toBeLessThanOrEqual(5_000)
    expect(bundle.toString()).toContain('undeclared-status')
    expect(bundle.toString()).not.toMatch(/zod|~validate|from ?["']/i)
  } finally {
    await rm(folder, { recursive: true })
  }
})

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { measure } from '../../../scripts/packages/measure.ts'

const path = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))

it('a client bundle with a manifest and types has at most 5 kB compressed, and no schemas', async () => {
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
    const out = join(folder, 'out')
    const { code, size } = await measure(join(folder, 'entry.ts'), out, 'browser')
    expect(code).toBe(0)
    expect(size.compressed).toBeLessThanOrEqual(5_000)
    // With the parts that a stream loads.
    const files = (await readdir(out)).map((file) => readFile(join(out, file), 'utf8'))
    const bundle = (await Promise.all(files)).join('\n')
    expect(bundle).toContain('undeclared-status')
    expect(bundle).toContain('Last-Event-ID')
    expect(bundle).not.toMatch(/zod|~validate|from ?["'](?!\.|@plumbline)/i)
  } finally {
    await rm(folder, { recursive: true })
  }
})

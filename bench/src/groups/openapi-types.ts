import { amount } from '../short.ts'
import { diagnose, inProjects, writeProject } from '../types/diagnose.ts'
import { sources } from '../types/sources.ts'

const COUNT = amount(200, 2)
const ROWS = [
  { name: '@plumbline/openapi, 200 operations', kind: 'plumbline', count: COUNT },
  { name: '@plumbline/openapi, 1 operation', kind: 'plumbline', count: 1 },
  { name: 'the floor: only the schemas of the 200 operations', kind: 'zod', count: COUNT },
  { name: '@hono/zod-openapi, the same 200', kind: 'hono', count: COUNT },
]

export async function run(): Promise<void> {
  await inProjects(async (folder) => {
    console.log('\nType-check a file of operations\n')
    console.log('| | check time | instantiations | memory |\n| --- | --- | --- | --- |')
    for (const { name, kind, count } of ROWS) {
      const files = { 'operations.ts': sources[kind]?.(count) ?? '' }
      const project = writeProject(folder, `${kind}-${count}`, files)
      const { seconds, instantiations, megabytes } = await diagnose(project)
      const figures = [`${seconds.toFixed(2)} s`, instantiations.toLocaleString('en')]
      console.log(`| ${name} | ${figures.join(' | ')} | ${megabytes.toFixed(0)} MB |`)
    }
  })
}

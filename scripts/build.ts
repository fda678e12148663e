/** Builds `dist` of each package for publication, with declarations, in the order of imports. */
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.ts'

for (const name of ['result', 'problem', 'openapi', 'scim']) {
  await rm(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  // The files that need Node are a project of their own, so that its types do not reach the others.
  for (const project of globSync(`packages/${name}/tsconfig.build*.json`, { cwd: root }).sort()) {
    const { code, output } = await run('tsc', ['-p', project])
    console.log(`${code === 0 ? 'built ' : 'FAILED'} ${project}`)
    if (code !== 0) {
      console.log(output)
      process.exit(1)
    }
  }
}

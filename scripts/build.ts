/** Builds `dist` of each package for publication, with declarations, in the order of imports. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.ts'

for (const name of ['result', 'problem', 'openapi', 'scim']) {
  await rm(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  const { code, output } = await run('tsc', ['-p', `packages/${name}/tsconfig.build.json`])
  console.log(`${code === 0 ? 'built ' : 'FAILED'} packages/${name}/dist`)
  if (code !== 0) {
    console.log(output)
    process.exit(1)
  }
}

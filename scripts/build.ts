/**
 * Builds `dist` of each package, with declarations, in the order of imports; then the folder of each published one
 * that `npm publish` is run on, in `dist` of the root folder.
 */
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stage, stagedFolder } from './packages/stage.ts'
import { root, run } from './run.ts'

for (const name of ['result', 'problem', 'report', 'openapi', 'scim', 'doctor']) {
  await rm(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  // The files that need Node are a project of their own, so that its types do not reach the others.
  for (const project of globSync(`packages/${name}/tsconfig.build*.json`, { cwd: root }).sort()) {
    await expect(`built  ${project}`, run('tsc', ['-p', project]))
  }
  if (name !== 'report') await expect(`staged ${stagedFolder(name)}`, stage(name))
}

async function expect(what: string, step: ReturnType<typeof run>): Promise<void> {
  const { code, output } = await step
  if (code === 0) return console.log(what)
  console.log(`FAILED ${what}\n${output}`)
  process.exit(1)
}

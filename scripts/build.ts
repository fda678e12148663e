/**
 * Builds `dist` of each package, with declarations, in the order of imports; then the folder of each published one
 * that `npm publish` is run on, in `dist` of the root folder.
 */
import { globSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyInternal,
  folderOf,
  INTERNAL,
  PUBLISHED,
  stage,
  stagedFolder,
} from './packages/stage.ts'
import { root, run } from './run.ts'

for (const name of [...INTERNAL, ...PUBLISHED]) {
  const folder = folderOf(name)
  await rm(join(root, folder, 'dist'), { recursive: true, force: true })
  // The files that need Node are a project of their own, so that its types do not reach the others.
  for (const project of globSync(`${folder}/tsconfig.build*.json`, { cwd: root }).sort()) {
    await expect(`built  ${project}`, run('tsc', ['-p', project]))
  }
  // Examples and benchmarks link the package, and other runtimes do not find what a linked package does not declare.
  if (PUBLISHED.includes(name)) copyInternal(name, 'dist')
}
await copyAssets()
for (const name of PUBLISHED) await expect(`staged ${stagedFolder(name)}`, stage(name))

/** Copies the files next to the sources that the directory reads at run time. */
async function copyAssets(): Promise<void> {
  const folder = join(root, folderOf('directory'))
  for (const file of globSync('shell/console/assets/*', {
    cwd: join(folder, 'src'),
  })) {
    if (!file.endsWith('/tsconfig.json'))
      await cp(join(folder, 'src', file), join(folder, 'dist', file))
  }
}

async function expect(what: string, step: ReturnType<typeof run>): Promise<void> {
  const { code, output } = await step
  if (code === 0) return console.log(what)
  console.log(`FAILED ${what}\n${output}`)
  process.exit(1)
}

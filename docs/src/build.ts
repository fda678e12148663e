/**
 * Builds the site into `docs/dist/site`: writes its pages as Markdown into `docs/dist/pages`, and VitePress turns them
 * into HTML. Then checks each link. Usage: `npm run docs`
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { root } from '../../scripts/run.ts'
import { assemble, writePage } from './assemble.ts'
import { checkSite } from './check-site.ts'
import { checkPages } from './checks.ts'
import { llmsText } from './llms.ts'
import { readMenu } from './menu.ts'
import { problemPages } from './problems.ts'
import { writeReference } from './reference.ts'
import { provisioningPages } from './sequences.ts'
import { settingsPage } from './settings.ts'

const pages = join(root, 'docs/dist/pages')
const site = join(root, 'docs/dist/site')
rmSync(join(root, 'docs/dist'), { recursive: true, force: true })
assemble(pages)
for (const [page, text] of [
  ...checkPages(),
  ...(await problemPages()),
  ...provisioningPages(),
  await settingsPage(),
]) {
  writePage(pages, page, text)
}
await writeReference(join(pages, 'reference'))
const menu = readMenu(pages)
writeFileSync(join(root, 'docs/dist/menu.json'), JSON.stringify(menu))
await build(join(root, 'docs'))
cpSync(pages, site, { recursive: true })
writeFileSync(join(site, 'llms.txt'), llmsText(menu))
const findings = checkSite(site)
for (const finding of findings) console.log(finding)
process.exitCode = findings.length === 0 ? 0 : 1

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { slugOf } from '../../scripts/packages/links.ts'
import { root } from '../../scripts/run.ts'
import { accessibleSearch } from '../src/accessible-search.ts'
import type { MenuSection } from '../src/menu.ts'

// Written by `src/build.ts`, because the pages are known to it only.
const menu: readonly MenuSection[] = JSON.parse(
  readFileSync(join(root, 'docs/dist/menu.json'), 'utf8'),
)

const only = (...titles: readonly string[]) =>
  items(menu.filter(({ title }) => titles.includes(title)))
const others = (...titles: readonly string[]) =>
  items(menu.filter(({ title }) => !titles.includes(title)))

/** The sections cannot be collapsed: VitePress would nest buttons. */
function items(sections: readonly MenuSection[]) {
  return sections.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: page.title, link: page.link })),
  }))
}

export default defineConfig({
  title: 'Plumbline',
  description: 'TypeScript libraries for OpenAPI and SCIM 2.0',
  lang: 'en',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cacheDir: 'node_modules/.cache/vitepress',
  // `src/check-site.ts` checks all links, also those to headings.
  ignoreDeadLinks: true,
  lastUpdated: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The fragments of the repository, so that a link is right in both places.
    anchor: { slugify: slugOf },
    // Vue would evaluate the braces in `{{user}}`.
    config: (md) => {
      const render = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (tokens, at, options, env, self) => {
        tokens[at]?.attrSet('v-pre', '')
        return render?.(tokens, at, options, env, self) ?? ''
      }
    },
    languageAlias: { caddy: 'nginx', haproxy: 'nginx' },
  },
  vite: { plugins: [accessibleSearch()] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start/hono' },
      { text: 'OpenAPI', link: '/openapi/' },
      { text: 'SCIM', link: '/scim/' },
      { text: 'Troubleshooting', link: '/troubleshooting/scim' },
      { text: 'Reference', link: '/reference/scim/endpoint' },
      { text: 'About', link: '/decisions/' },
    ],
    sidebar: {
      '/reference/': only('Reference'),
      '/troubleshooting/': only('Troubleshooting', 'Checks of the doctor'),
      '/decisions/': only('About'),
      '/changes/': only('About'),
      '/': others('Reference', 'Checks of the doctor', 'About'),
    },
  },
})

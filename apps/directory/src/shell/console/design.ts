import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Icon names: Octicons, and the product's mark. */
export type IconName = (typeof ICONS)[number] | 'mark'

/** Returns every page's style sheet: the daisyUI parts in use, our theme and the layout. */
export function readStyles(): string {
  const parts = COMPONENTS.map((name) => `components/${name}.css`)
  const base = ['base/reset.css', 'base/rootcolor.css']
  const daisy = [...base, ...parts].map((file) => withoutWidths(readFile(`daisyui/${file}`)))
  return [...daisy, readOwn('console.css'), readOwn('chart.css')].join('\n')
}

/** Returns the icons as symbols in one picture; pages refer to them by name. */
export function readIcons(): string {
  const octicons = ICONS.map((name) =>
    symbolOf(name, readFile(`@primer/octicons/build/svg/${name}-16.svg`)),
  )
  const symbols = [...octicons, symbolOf('mark', readOwn('icon.svg'))]
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`
}

/**
 * Removes the copies daisyUI adds to each component for five window widths, such as `.sm\:btn`. Pages don't use them.
 */
function withoutWidths(css: string): string {
  const at = css.indexOf('@media (width>=640px){')
  return at === -1 ? css : `${css.slice(0, at)}}`
}

function symbolOf(name: string, svg: string): string {
  const [, box = '', content = ''] =
    /<svg [^>]*?(viewBox="[^"]+")[^>]*>(.*)<\/svg>/s.exec(svg) ?? []
  return `<symbol id="${name}" ${box}>${content}</symbol>`
}

function readFile(name: string): string {
  return readFileSync(require.resolve(name), 'utf8')
}

function readOwn(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
}

const require = createRequire(import.meta.url)

const COMPONENTS = [
  'alert',
  'badge',
  'breadcrumbs',
  'button',
  'card',
  'input',
  'kbd',
  'menu',
  'modal',
  'select',
  'stat',
  'status',
  'steps',
  'table',
  'textarea',
]

const ICONS = [
  'alert',
  'check',
  'check-circle',
  'chevron-down',
  'copy',
  'diff',
  'gear',
  'home',
  'id-badge',
  'inbox',
  'info',
  'key',
  'key-asterisk',
  'link',
  'log',
  'organization',
  'people',
  'person',
  'plug',
  'question',
  'search',
  'server',
  'shield-lock',
  'sign-out',
  'stop',
  'three-bars',
  'unverified',
  'video',
  'webhook',
] as const

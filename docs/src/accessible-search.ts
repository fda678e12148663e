import type { Plugin } from 'vite'

/**
 * Changes the search box in VitePress 1.6.4, whose roles nest controls: a button contains the dialog, and options
 * contain links. It becomes a dialog with a link list. Links are named by their text.
 */
export function accessibleSearch(): Plugin {
  return {
    name: 'accessible-search',
    enforce: 'pre',
    transform: (code, id) => {
      if (!/VPLocalSearchBox\.vue$/.test(id)) return null
      return REPLACED.reduce((text, [from, to]) => {
        if (!from.test(text)) throw new Error(`the search box of VitePress does not have ${from}`)
        return text.replace(from, to)
      }, code)
    },
  }
}

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [
    /role="button"\s+:aria-owns=.*\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog"',
  ],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="selectedIndex === index \? 'true' : 'false'"\s+role="option"/, ''],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
]

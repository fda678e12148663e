import { MARKUP } from '../contract/markup.cases.ts'

const SCRIPTS = [
  '<img src=x onerror="window.injected=1">',
  '<svg/onload=window.injected=1>',
  '</script><script>window.injected=1</script>',
  '\u2028window.injected=1\u2029',
  `\${window.injected=1}{{constructor.constructor('window.injected=1')()}}`,
  '\u202e<x=rorreno x=crs gmi>',
]
const WHOLE = [
  'javascript:window.injected=1',
  `"><img src=x onerror=window.injected=1>${'A'.repeat(1_900)}`,
]

const ALL = [...MARKUP, ...SCRIPTS]

/** The strings to inject: three in one, so that fewer pages are opened, and those with a meaning only as a whole. */
export const ATTEMPTS: readonly string[] = [
  ...ALL.flatMap((_, at) => (at % 3 === 0 ? [ALL.slice(at, at + 3).join('')] : [])),
  ...WHOLE,
]

import { scimAnswers } from './answers.ts'
import { buildMessages, parseMessages } from './messages.ts'

/** Example messages and answers, by page and code. */
const EXAMPLES: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  'troubleshooting/openapi-build.md': buildMessages(),
  'troubleshooting/openapi-text.md': parseMessages(),
  'troubleshooting/scim.md': await scimAnswers(),
}

/**
 * Replaces each code table with a section per code, so each code has its own address. A section shows an example if a
 * program here has caused the error.
 */
export function expandFaults(page: string, text: string): string {
  if (!page.startsWith('troubleshooting/')) return text
  return text.replace(
    /^\| [^|\n]+ \| what happened \| (what to do|answer) \|\n\|[ |-]+\|\n((?:\|.*\n)+)/gm,
    (_, last: string, rows: string) => {
      const sections = rows
        .trimEnd()
        .split('\n')
        .map((row) => section(page, row, last))
      return sections.join('\n')
    },
  )
}

function section(page: string, row: string, last: string): string {
  const [code = '', cause = '', fix = ''] = row
    .replace(/^\| | \|$/g, '')
    .split(/ (?<!\\)\| /)
    .map((cell) => cell.trim())
  const text = EXAMPLES[page]?.get(code.replaceAll('`', ''))
  const example = text === undefined ? [] : ['An example:', fenced(text)]
  const parts = [`## ${code}`, sentence(cause), ...example, `**${LAST[last]}**: ${fix}.`]
  return `${parts.join('\n\n')}\n`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function fenced(text: string): string {
  return `\`\`\`txt\n${text}\n\`\`\``
}

const LAST: Readonly<Record<string, string>> = { 'what to do': 'Fix', answer: 'Answer' }

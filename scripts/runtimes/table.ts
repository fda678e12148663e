import { readFileSync, writeFileSync } from 'node:fs'

/** The result of one runtime. */
export interface Row {
  readonly name: string
  readonly version: string
  readonly passes: boolean
}

/**
 * Prints the table of the runtimes and compares it with the README, between the two comments. Writes
 * the table into the README if `UPDATE_RUNTIMES` is set.
 */
export function checkTable(readme: string, rows: readonly Row[]): boolean {
  const table = tableOf(rows)
  console.log(`\n${table}`)
  const text = readFileSync(readme, 'utf8')
  const start = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`${readme} does not have ${BEGIN} and ${END}`)
  const updated = `${text.slice(0, start + BEGIN.length)}\n\n${table}\n${text.slice(end)}`
  if (updated === text) return true
  if (process.env.UPDATE_RUNTIMES !== undefined) writeFileSync(readme, updated)
  else console.log('The table in README.md differs: run UPDATE_RUNTIMES=1 npm run test:runtimes.')
  return process.env.UPDATE_RUNTIMES !== undefined
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, version, passes }) => `| ${name} | ${version} | ${passes ? 'passes' : 'fails'} |`,
  )
  const head = ['| runtime | tested version | test suite |', '| --- | --- | --- |']
  return `${[...head, ...lines].join('\n')}\n`
}

const BEGIN = '<!-- The table of npm run test:runtimes. -->'
const END = '<!-- The end of the table. -->'

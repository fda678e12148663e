import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

const FILE = new URL('../results.md', import.meta.url)

/** Describes a run starting now: its date, the machine, and how busy it is. */
export function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10)
  const load = loadavg()[0]?.toFixed(1)
  return `${day}, Node ${process.version}, ${availableParallelism()} cores, load average before the run ${load}:`
}

/** Replaces a group's section. */
export function writeResults(group: string, text: string): void {
  const [head = '', ...sections] = readFileSync(FILE, 'utf8').split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${group}\n`))
  const all = [...others, `## ${group}\n\n${text}\n\n`].toSorted()
  writeFileSync(FILE, `${[head, ...all].join('').trimEnd()}\n`)
}

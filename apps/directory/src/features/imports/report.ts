/** How many rows an import has written and rejected. */
export interface ImportCounts {
  /** Rows with a new resource. */
  readonly created: number
  /** Rows with an existing resource. */
  readonly existing: number
  readonly rejected: number
  /** Group members left out because they don't exist. */
  readonly leftOut: number
}

/** Collects an import's results. */
export interface ImportReport {
  /** Counts an accepted row. */
  count(kind: 'created' | 'existing'): void
  /** Reports an accepted row that cannot be written. */
  fail(line: number, kind: 'created' | 'existing', reason: string): void
  /** Reports a rejected row. */
  reject(line: number, reason: string): void
  /** Reports members left out of a row's group because they don't exist. */
  leaveOut(line: number, members: readonly string[]): void
  /** Counts a row's attributes missing from the tenant's schemas. */
  ignore(names: readonly string[]): void
  counts(): ImportCounts
  /** How many rows have each ignored attribute. */
  ignored(): ReadonlyMap<string, number>
}

/** Creates a report. `print` receives a sentence about each rejected row; `nameOf` names a row by its line. */
export function createReport(
  print: (text: string) => void,
  nameOf = (line: number): string => `line ${line}`,
): ImportReport {
  const write = (line: number, text: string) => print(`${nameOf(line)}: ${text}`)
  const counts = { created: 0, existing: 0, rejected: 0, leftOut: 0 }
  const ignored = new Map<string, number>()
  const reject: ImportReport['reject'] = (line, reason) => {
    counts.rejected += 1
    write(line, reason)
  }
  return {
    count: (kind) => {
      counts[kind] += 1
    },
    fail: (line, kind, reason) => {
      counts[kind] -= 1
      reject(line, reason)
    },
    reject,
    leaveOut: (line, members) => {
      counts.leftOut += members.length
      for (const member of members.slice(0, MAX_MEMBERS)) {
        write(line, `the member ${member} does not exist and was left out`)
      }
      const more = members.length - MAX_MEMBERS
      if (more > 0) write(line, `${more} more members do not exist and were left out`)
    },
    ignore: (names) => {
      for (const name of names) {
        if (ignored.size < MAX_NAMES || ignored.has(name)) {
          ignored.set(name, (ignored.get(name) ?? 0) + 1)
        }
      }
    },
    counts: () => counts,
    ignored: () => ignored,
  }
}

const MAX_NAMES = 100
/** How many missing members per row are reported with their ids. */
const MAX_MEMBERS = 5

/** Test results for `writeJunit`. */
export interface JunitReport {
  readonly name: string
  /** A sentence above the suites. */
  readonly comment?: string
  readonly suites: readonly JunitSuite[]
}

/** A test suite. A suite without cases is not written. */
export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/** A test. Without a `result` it passed. */
export interface JunitCase {
  readonly classname: string
  readonly name: string
  readonly seconds?: number
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped'
    readonly message: string
    readonly text?: string
  }
}

/** Writes test results as JUnit XML. */
export function writeJunit({ name, comment, suites }: JunitReport): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
${comment === undefined ? '' : writeComment(comment)}<testsuites name="${escapeXml(name)}">
${suites.map(writeSuite).join('')}</testsuites>
`
}

function writeComment(text: string): string {
  // XML 1.0 §2.5: a comment does not contain two hyphens or end with one.
  return `<!-- ${escapeXml(text).replace(/-(?=-)|-$/g, '- ')} -->\n`
}

function writeSuite({ name, cases }: JunitSuite): string {
  if (cases.length === 0) return ''
  const count = (kind: string): number => cases.filter(({ result }) => result?.kind === kind).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  return `  <testsuite name="${escapeXml(name)}" ${counts}>
${cases.map(writeCase).join('')}  </testsuite>
`
}

function writeCase({ classname, name, seconds, result }: JunitCase): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`
  const open = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"${time}`
  if (result === undefined) return `${open}/>\n`
  const { kind, message, text = '' } = result
  const start = `${open}><${kind} message="${escapeXml(message)}"`
  const end = text === '' ? '/>' : `>${escapeXml(text)}</${kind}>`
  return `${start}${end}</testcase>\n`
}

/** Escapes text for XML. XML 1.0 §2.2 does not allow every character, even as a reference. */
function escapeXml(text: string): string {
  return text
    .replace(INVALID, '\uFFFD')
    .replace(/[&<>"\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)
}

// Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]
const INVALID = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

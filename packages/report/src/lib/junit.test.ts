import { describe, expect, it } from 'vitest'
import { writeJunit } from './junit.ts'

describe('writeJunit', () => {
  it('writeJunit writes a suite for each name, with counts, times and results', () => {
    const result = { kind: 'failure', message: 'expected 1', text: 'Return 1.' } as const
    const cases = [
      { classname: 'a', name: 'passes', seconds: 0.25 },
      { classname: 'a', name: 'fails', result },
      { classname: 'a', name: 'is skipped', result: { kind: 'skipped', message: 'no' } as const },
    ]
    expect(
      writeJunit({ name: 'n', suites: [{ name: 's', cases }] }),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="n">
  <testsuite name="s" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="a" name="passes" time="0.250"/>
    <testcase classname="a" name="fails"><failure message="expected 1">Return 1.</failure></testcase>
    <testcase classname="a" name="is skipped"><skipped message="no"/></testcase>
  </testsuite>
</testsuites>
`)
  })

  it('writeJunit does not write a suite without cases', () => {
    const written = writeJunit({ name: 'n', suites: [{ name: 's', cases: [] }] })
    expect(written).not.toContain('<testsuite ')
  })

  it('writeJunit replaces the characters that XML does not allow (XML 1.0 §2.2)', () => {
    const cases = [{ classname: 'a', name: '\u0000 \ud800 \uffff \t\n "<&>' }]
    const written = writeJunit({ name: 'n', suites: [{ name: 's', cases }] })
    expect(written).toContain('name="\ufffd \ufffd \ufffd &#9;&#10; &#34;&#60;&#38;&#62;"')
  })

  it.each([
    ['a--b', 'a- -b'],
    ['ends with -', 'ends with - '],
    ['--> <a>', '- -&#62; &#60;a&#62;'],
  ])('writeJunit keeps %s inside a comment (XML 1.0 §2.5)', (comment, expected) => {
    const written = writeJunit({ name: 'n', comment, suites: [] })
    expect(written).toContain(`<!-- ${expected} -->\n`)
  })
})

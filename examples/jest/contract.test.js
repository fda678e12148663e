/** Runs Jest and `plumbline-contract`, as the scripts of package.json do. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** @param {string[]} args */
function npm(...args) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...args], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('the reports of two files and two workers are merged', () => {
  const tests = npm('jest')
  assert.match(tests.output, /Tests: +4 passed, 4 total/)
  const { status, output } = npm('contract')
  assert.equal(
    output,
    `\
operation        | statuses | problems | media types | parameters | members | not covered
-----------------|----------|----------|-------------|------------|---------|------------
all operations   |      2/2 |      2/2 |           - |        1/1 |     1/3 |
default problems |        - |      1/1 |           - |          - |       - |
listBooks        |      1/1 |        - |           - |        1/1 |     1/3 | query:limit absent, 200 empty
readBook         |      1/1 |      1/1 |           - |          - |       - |

Ignored:
  default problems internal: The handlers do not throw.

`,
  )
  assert.equal(status, 0)
})

test('a violation fails the contract although its test passes, and names it', () => {
  const tests = npm('jest', '--', '--roots', 'broken')
  assert.match(tests.output, /Tests: +1 passed, 1 total/)
  const { status, output } = npm('contract')
  assert.equal(status, 1)
  assert.match(output, /readBook: GET http:\/\/localhost\/books\/b1, status 200/)
  assert.match(output, /body-mismatch at \/title/)
  assert.match(output, /in .*broken\/read-book\.test\.js > a book has a number as its title/)
})

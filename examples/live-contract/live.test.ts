/** Runs a server, `plumbline-contract` and `redocly diff`, as a team does before it changes its contract. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createContractRecorder } from '@plumbline/contract'
import { stringify } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { current, next } from './documents.ts'
import { createServer } from './server.ts'
import { whoWouldNotice } from './who-would-notice.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-live-'))
after(() => rmSync(folder, { recursive: true }))
const live = join(folder, 'live')
mkdirSync(live)

function npx(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('npx', ['--no', ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const read = (path: string) => new Request(`http://localhost${path}`)
const add = (book: object) => {
  const body = JSON.stringify(book)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
  return new Request('http://localhost/books', { method: 'POST', headers, body })
}
const requests = [
  ...['/books/0', '/books/0?view=whole', '/books/1', '/books/2'].map(read),
  ...[{ title: 'A' }, { title: 'B', kind: 'novel', note: null }, { title: 'C', kind: 'poem' }].map(
    add,
  ),
]

test('production is compared with the tests', async () => {
  const { fetch } = createServer(live)
  for (const request of requests) await (await fetch(request)).text()
  const isComplete = (name: string) => readFileSync(join(live, name), 'utf8').endsWith('}')
  while (readdirSync(live).filter(isComplete).length < requests.length) await setTimeout(10)
  // A report of 40 days ago, before the first request.
  const recorder = createContractRecorder(current)
  const from = Date.now() - 40 * 24 * 60 * 60 * 1_000
  const first = { ...recorder.report(), period: { from, to: from } }
  writeFileSync(join(live, 'first.json'), JSON.stringify(first))

  const request = read('/books/0')
  await recorder.middleware({ request }, () => fetch(request))
  writeFileSync(join(folder, 'tests.json'), JSON.stringify(recorder.report()))

  const merged = join(folder, 'live.json')
  const compared = npx(
    'plumbline-contract',
    live,
    '--tests',
    join(folder, 'tests.json'),
    '--days',
    '30',
    '--json',
    merged,
  )
  assert.equal(compared.status, 1)
  assert.match(
    compared.stdout,
    /^ {2}1 exchange: readBook: GET \/books\/\{id\}, status 200\n {4}body-mismatch at \/title/m,
  )
  assert.match(compared.stdout, /^ {2}readBook query:view "whole" \(1 exchange\)$/m)
  assert.match(compared.stdout, /^ {2}readBook 200 \/note null \(never\)$/m)
  assert.match(compared.stdout, /^ {2}readCover, the whole operation \(never\)$/m)
})

test('the changes of a proposal are weighed by what production had', () => {
  const documents = Object.entries({ current, next }).map(([name, builder]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, unwrap(stringify(unwrap(builder.build()))))
    return file
  })
  const output = join(folder, 'diff.json')
  npx('redocly', 'diff', ...documents, '--format', 'json', '--output', output, '--fail-on', 'none')
  const [diff, report] = [output, join(folder, 'live.json')].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(whoWouldNotice(diff, unwrap(current.build()), report), [
    'Properties became required: `kind`. request /kind in 2, request /kind absent in 1, request /kind "novel" in 1, request /kind "poem" in 1, request /kind "map" in 0, 3 exchanges',
    'Enum of `kind` lost values: \'map\'. request /kind in 2, request /kind absent in 1, request /kind "novel" in 1, request /kind "poem" in 1, request /kind "map" in 0, 3 exchanges',
    "Type of `note` narrowed from 'string | null' to 'string'. request /note in 0, request /note absent in 2, request /note null in 1, 3 exchanges",
    'Enum lost values: \'short\'. query:view absent in 2, query:view "short" in 0, query:view "whole" in 1, 4 exchanges',
    'Path `/books/{id}/cover` was removed. 0 exchanges',
  ])
})

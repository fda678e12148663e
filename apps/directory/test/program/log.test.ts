import { expect, it, onTestFinished } from 'vitest'
import { createLog, errorLine, type LogEntry } from '../../src/shell/observe/request-log.ts'
import { serve } from '../support/spawned-server.ts'

const entry = (status: number): LogEntry => ({
  time: '2026-11-21T12:00:00.000Z',
  requestId: 'r',
  level: 'info',
  method: 'GET',
  route: '/scim/v2/Users',
  status,
  milliseconds: 1,
  tenant: 'default',
  tokenId: 't',
})

it('the log writes a JSON line for each entry, and all lines from one event loop turn together', async () => {
  const written: string[] = []
  const log = createLog((lines) => written.push(lines))
  log(entry(200))
  log(entry(201))
  expect(written).toEqual([])
  await new Promise(setImmediate)
  log(entry(202))
  await new Promise(setImmediate)
  expect(written.map((lines) => lines.split('\n').length - 1)).toEqual([2, 1])
  expect(
    written
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([entry(200), entry(201), entry(202)])
})

it.each([
  [undefined, ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['error', ['error']],
] as const)('the log writes only the entries with the level %s and above', (level, expected) => {
  const written: string[] = []
  const log = createLog((lines) => written.push(lines), level === undefined ? {} : { level })
  for (const one of ['debug', 'info', 'warn', 'error'] as const) log({ ...entry(200), level: one })
  log.flush()
  const lines = written.join('').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected)
})

it('the log writes the remaining entries when it is flushed, and none twice', async () => {
  const written: string[] = []
  const log = createLog((lines) => written.push(lines))
  log(entry(200))
  log.flush()
  await new Promise(setImmediate)
  expect(written).toHaveLength(1)
})

it.each([
  ['one line', 'secret'],
  ['lines that look like frames', 'a\n    at secret (file:///secret.ts:1:1)\n    at secret:1:1'],
  ['nothing', ''],
])('the log writes an error without its message, which is %s', (_, message) => {
  const cause = Object.assign(new Error(message), { code: '23505' })
  const line = errorLine(new TypeError(message, { cause }))
  expect(line).toMatch(/^TypeError < Error 23505 at .*log\.test\.ts\S*:\d+:\d+\)?$/)
  expect(line).not.toContain('secret')
})

it("the log writes an error's table if the message names nothing else", () => {
  const denied = new Error('permission denied for table leases\nDETAIL: secret')
  const line = errorLine(Object.assign(denied, { code: '42501' }))
  expect(line).toMatch(/^Error 42501 \(permission denied for table leases\) at /)
  expect(line).not.toContain('secret')
})

it("the log omits an error's frame if the message was changed after the error was created", () => {
  const error = new Error('a\n    at secret (file:///secret.ts:1:1)')
  expect(error.stack).toContain('secret')
  error.message = 'b'
  expect(errorLine(error)).toBe('Error')
})

it('the log does not stop the server if the reader is gone', async () => {
  const server = await serve({ DATABASE_URL: 'file::memory:' })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  server.child.stdout?.destroy()
  for (let count = 0; count < 5; count += 1) {
    expect((await fetch(`${server.origin}/api/health`)).status).toBe(200)
  }
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

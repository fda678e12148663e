import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { OUTDATED_CODE } from '../../src/commands/exit.ts'
import { greet, isInJournal } from '../../src/commands/greeting.ts'
import { GRACE } from '../../src/server.ts'
import { START_COMMAND } from '../support/spawned-server.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '')
const unit = readFileSync(
  new URL('../../systemd/plumbline-directory.service', import.meta.url),
  'utf8',
)

/** The values of a setting of the unit, for a repository in this folder. */
function valuesOf(setting: string): readonly string[] {
  const found = [...unit.matchAll(new RegExp(`^${setting}=(.+)$`, 'gm'))]
  return found.map(([, value = '']) => value.replaceAll('/opt/plumbline', root))
}

// So that end-to-end.test.ts, which stops servers during requests, also shows how the service stops.
it('the unit runs the same command as npm start', () => {
  const [command = ''] = valuesOf('ExecStart')
  expect(command.split(' ').slice(1)).toEqual(START_COMMAND)
})

it("the unit's main process is the server, which exits with 0 on SIGTERM, keeps the compiled code, and writes no command to the journal that only its user could run", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [program = '', ...options] = valuesOf('ExecStart')[0]?.split(' ') ?? []
  const settings = valuesOf('Environment').flatMap((line) => line.split(' '))
  const env = Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s)))
  expect(env).toEqual({
    NODE_ENV: 'production',
    DATABASE_URL: 'file:/var/lib/plumbline-directory/directory.db',
    NODE_COMPILE_CACHE: `/var/cache/${valuesOf('CacheDirectory')[0]}`,
  })
  const journal = openSync(join(folder, 'journal'), 'w')
  onTestFinished(() => closeSync(journal))
  const { dev, ino } = fstatSync(journal)
  const service = spawn(program, options, {
    cwd: valuesOf('WorkingDirectory')[0],
    env: {
      ...env,
      DATABASE_URL: `file:${join(folder, 'directory.db')}`,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      PORT: '0',
      GREETING: 'text',
      JOURNAL_STREAM: `${dev}:${ino}`,
    },
    stdio: ['ignore', journal, 'inherit'],
  })
  onTestFinished(() => void service.kill('SIGKILL'))
  const ended = once(service, 'exit')
  const lines = () => readFileSync(join(folder, 'journal'), 'utf8')
  await expect.poll(lines, { timeout: 60_000 }).toMatch(/^Token .+\n/m)
  expect(lines()).toMatch(/^SCIM .+\nConsole .+\nDocument .+\nToken .+\n/m)
  expect(lines()).not.toMatch(/npm|curl/)
  const [, url, token] = /^SCIM +(\S+)[\s\S]+^Token +(\S+)/m.exec(lines()) ?? []
  const headers = { Authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/Users`, { headers })).status).toBe(200)
  service.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(readdirSync(join(folder, 'compiled'))).not.toEqual([])
})

it('the greeting of a later start in the journal shows no command that only its user could run', () => {
  const greeting = {
    origin: 'http://127.0.0.1:3000',
    newToken: null,
    database: 'file:/var/lib/plumbline-directory/directory.db',
    isTokenSet: false,
    tokenFile: null,
  }
  const lines = greet({ ...greeting, isService: true })
  expect(lines).toMatch(/^SCIM .+\nConsole .+\nDocument .+\nToken .+\n/m)
  expect(lines).not.toMatch(/npm|curl/)
  expect(greet({ ...greeting, isService: false })).toContain('npm run seed')
})

it('a shell that inherits the stream of its terminal is not in the journal', () => {
  const { dev, ino } = fstatSync(process.stdout.fd)
  expect(isInJournal({ JOURNAL_STREAM: `${dev}:${ino}` })).toBe(true)
  expect(isInJournal({ JOURNAL_STREAM: `${dev}:${ino + 1}` })).toBe(false)
  expect(isInJournal({})).toBe(false)
})

it('the unit does not restart a version if a newer one has migrated the database', () => {
  expect(valuesOf('RestartPreventExitStatus')).toEqual([String(OUTDATED_CODE)])
  // The stop of a running process has another code, so that an installed new version is started.
  expect(valuesOf('Restart')).toEqual(['on-failure'])
})

it("the unit waits longer for the server's end than the server waits for open requests", () => {
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(2 * GRACE)
})

/**
 * Runs the files of a container image with its settings, as a random user, with a read-only root and in namespaces of
 * its own. Usage: `node scripts/check-image.ts <output of buildah inspect> <folder of the mounted image>`, as root.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const [inspected = '', root = ''] = process.argv.slice(2)
const { config } = (JSON.parse(readFileSync(inspected, 'utf8')) as { Docker: Image }).Docker
/** A user that neither the image nor this machine knows. */
const USER = '54321'
const TOKEN = 'a-token-in-a-mounted-file'
/** Docker kills a container 10 seconds after it has stopped it. */
const GRACE = 10_000
/** Makes the root read-only except `/data`, which a volume is, and drops every privilege. */
const MOUNTED = `set -e
mount --bind "$IMAGE" "$IMAGE"
mount --bind "$DATA" "$IMAGE/data"
mount -o remount,bind,ro "$IMAGE"
exec env -u IMAGE -u DATA -u USER_ID setpriv --no-new-privs \\
  chroot --userspec="$USER_ID:$USER_ID" --groups= "$IMAGE" "$@"`

const data = mkdtempSync(join(tmpdir(), 'plumbline-image-'))
let failed = false

try {
  checkFiles()
  await checkRuns()
} finally {
  rmSync(data, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

interface Image {
  readonly config: {
    readonly User: string
    readonly Env: readonly string[]
    readonly Entrypoint: readonly string[]
    readonly Healthcheck: { readonly Test: readonly string[] }
  }
}

function checkFiles(): void {
  const files = globSync('**', { cwd: root }).map((file) => lstatSync(join(root, file)))
  const megabytes = Math.ceil(files.reduce((sum, { size }) => sum + size, 0) / 1e6)
  expect(`the image has ${megabytes} MB, at most 300`, megabytes <= 300)
  const [user = '0'] = config.User.split(':')
  expect(`its user is ${user}, not root`, Number(user) > 0)
  expect('it does not contain a shell', !existsSync(join(root, 'bin/sh')))
  const writable = files.filter(
    ({ mode, uid }) => (mode & 0o170_000) !== 0o120_000 && (uid !== 0 || (mode & 0o022) !== 0),
  )
  expect('only /data and /tmp are writable', writable.length === 2)
}

async function checkRuns(): Promise<void> {
  writeFileSync(join(data, 'token'), TOKEN, { mode: 0o400 })
  for (const path of [data, join(data, 'token')]) chownSync(path, Number(USER), Number(USER))
  const port = await freePort()
  expect('the health check fails without a server', (await isHealthy(port)) === false)
  await checkRun(port, 'the first start')
  const { mode, uid } = statSync(join(data, 'directory.db'))
  expect('only its user can read the database', (mode & 0o077) === 0 && uid === Number(USER))
  await checkRun(port, 'a start with data')
}

async function checkRun(port: number, what: string): Promise<void> {
  const started = performance.now()
  const server = execute(config.Entrypoint, {
    PORT: String(port),
    DIRECTORY_TOKEN_FILE: '/data/token',
  })
  const ended = once(server, 'close')
  const url = `http://127.0.0.1:${port}`
  try {
    while (!(await answers(`${url}/api/ready`)) && server.exitCode === null) await setTimeout(10)
    const milliseconds = Math.round(performance.now() - started)
    expect(`${what} takes ${milliseconds} ms, less than 2 s`, milliseconds < 2_000)
    const headers = { Authorization: `Bearer ${TOKEN}` }
    expect(
      'a token in a file is accepted',
      await answers(`${url}/scim/v2/Users?filter=active pr`, headers),
    )
    expect('the console answers', await answers(`${url}/console`))
    expect('the health check passes', await isHealthy(port))
  } finally {
    const stopped = performance.now()
    if (server.exitCode === null) process.kill(mainProcessOf(server), 'SIGTERM')
    const [code] = (await Promise.race([ended, setTimeout(GRACE, ['killed'])])) as unknown[]
    server.kill('SIGKILL')
    const milliseconds = Math.round(performance.now() - stopped)
    expect(`it stops in ${milliseconds} ms with the exit code ${code}`, code === 0)
  }
}

async function isHealthy(port: number): Promise<boolean> {
  const [kind, ...command] = config.Healthcheck.Test
  if (kind !== 'CMD') throw new Error('a health check by a shell, which the image does not contain')
  const [code] = (await once(execute(command, { PORT: String(port) }), 'close')) as unknown[]
  return code === 0
}

/** Runs a command of the image: without the environment of this process, and without any privilege. */
function execute(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  const environment = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s)))
  return spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--ipc',
      '--uts',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      MOUNTED,
      'sh',
      ...command,
    ],
    {
      env: {
        ...environment,
        ...variables,
        IMAGE: root,
        DATA: data,
        USER_ID: USER,
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}

/** The server, which is the first process of its namespace. */
function mainProcessOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

async function answers(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  try {
    return (await fetch(url, { headers })).ok
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function expect(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`)
  if (!holds) failed = true
}

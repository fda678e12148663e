import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL server of its own, in a folder of its own. */
export interface Cluster {
  readonly port: number
  readonly url: string
  /** Runs a statement, and returns its first value. */
  sql(statement: string): Promise<string>
  /** Starts a streaming standby of this server. Its name in `synchronous_standby_names` is `standby`. */
  addStandby(): Promise<Cluster>
  /** Waits for commits until the standby has stored them. */
  requireStandby(): Promise<void>
  promote(): Promise<void>
  /** Copies this server, and returns a function that recovers the copy to a restore point of this server's log. */
  backUp(): Promise<(restorePoint: string) => Promise<Cluster>>
  /** Starts the server again after it was killed. */
  resume(): Promise<void>
  /** Kills the server and all of its processes by SIGKILL. */
  kill(): void
  /** Stops the server if it runs, and deletes its folder. */
  remove(): Promise<void>
}

/** Creates and starts a server with the settings of `initdb`. */
export async function createCluster(): Promise<Cluster> {
  const folder = await createFolder()
  const data = join(folder, 'data')
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  return await startCluster(folder)
}

async function startCluster(folder: string): Promise<Cluster> {
  const data = join(folder, 'data')
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
  const begin = async (): Promise<void> => {
    await run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-w', '-s', '-o', settings, 'start')
  }
  await begin()
  const sql = async (statement: string): Promise<string> => {
    const [row] = await withClient(url, async (client) => (await client.query(statement)).rows)
    return String(Object.values(row ?? {})[0] ?? '')
  }
  return {
    port,
    url,
    sql,
    addStandby: async () => {
      const copy = await createFolder()
      await copyServer(url, { from: data, to: join(copy, 'data') })
      return await startCluster(copy)
    },
    requireStandby: async () => {
      await sql(`alter system set synchronous_standby_names = 'standby'`)
      await sql('select pg_reload_conf()')
      const state = `select sync_state from pg_stat_replication where application_name = 'standby'`
      while ((await sql(state)) !== 'sync') await pause()
    },
    resume: async () => {
      // A killed server leaves it, and does not seem to have ended until the system has forgotten its process.
      rmSync(join(data, 'postmaster.pid'), { force: true })
      await begin()
    },
    backUp: async () => {
      const copy = await createFolder()
      const target = join(copy, 'data')
      const source = `host=127.0.0.1 port=${port} user=postgres`
      await run('pg_basebackup', '-D', target, '-d', source, '-X', 'stream', '-c', 'fast')
      return async (restorePoint) => {
        const lines = [
          `restore_command = 'cp ${join(data, 'pg_wal')}/%f %p'`,
          `recovery_target_name = '${restorePoint}'`,
          `recovery_target_action = 'promote'`,
        ]
        appendFileSync(join(target, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
        writeFileSync(join(target, 'recovery.signal'), '')
        const recovered = await startCluster(copy)
        while ((await recovered.sql('select pg_is_in_recovery()')).trim() === 't') await pause()
        return recovered
      }
    },
    promote: async () => void (await run('pg_ctl', '-D', data, '-w', '-s', 'promote')),
    kill: () => killServer(data),
    remove: async () => {
      await run('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop').catch(() => undefined)
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Copies the data of a running server for a standby. The packages of newer servers contain neither `pg_basebackup` nor `psql`.
 * @see https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
async function copyServer(
  url: string,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const { label, port } = await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`)
    const skipped = ['pg_wal/*', 'postmaster.*', 'pg_replslot/*'].map(
      (name) => `--exclude=./${name}`,
    )
    // Files that are deleted or change meanwhile are repaired by the log.
    const archive = `tar --directory=${from} --warning=none ${skipped.join(' ')} --create --file=- . || [ $? -eq 1 ]`
    const extract = `mkdir -m 700 ${to} && tar --directory=${to} --extract`
    await as('sh', '-c', `(${archive}) | (${extract})`)
    const { rows } = await client.query('select labelfile as label from pg_backup_stop(false)')
    return { label: String(rows[0]?.label), port: new URL(url).port }
  })
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
  writeFileSync(join(to, 'backup_label'), label)
  writeFileSync(join(to, 'standby.signal'), '')
  appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await ownByPostgres(to)
}

async function withClient<Value>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Kills the server of a data folder and all of its processes by SIGKILL. */
export function killServer(data: string): void {
  signalServer(data, 'SIGKILL')
}

/** Sends a signal to the server of a data folder and all of its processes. */
export function signalServer(data: string, signal: NodeJS.Signals): void {
  const [first = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  // A process that it starts meanwhile would stay.
  if (signal !== 'SIGCONT') send(first, 'SIGSTOP')
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8')
  // The parent first: it would restart a server whose process was killed.
  for (const id of [first, ...children.trim().split(' ')]) send(id, signal)
}

function send(id: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number(id), signal)
  } catch {
    // The process has ended by itself.
  }
}

/** Runs a program of PostgreSQL, and returns its output. */
async function run(program: string, ...options: readonly string[]): Promise<string> {
  return await as(join(programsFolder(), program), ...options)
}

/** Runs a program as the user of PostgreSQL, and returns its output. */
async function as(program: string, ...options: readonly string[]): Promise<string> {
  const [first, others] = asPostgres(program, ...options)
  // The user `postgres` cannot enter every folder.
  return (await promisify(execFile)(first, others, { cwd: tmpdir() })).stdout
}

/** The command and the arguments that run a program as the user of PostgreSQL. */
export function asPostgres(program: string, ...options: readonly string[]): [string, string[]] {
  return isRoot
    ? ['runuser', ['-u', 'postgres', '--', program, ...options]]
    : [program, [...options]]
}

/** The folder of the programs of PostgreSQL. */
export function programsFolder(): string {
  const folder = process.env.PLUMBLINE_TEST_POSTGRES_PROGRAMS
  if (folder) return folder
  throw new Error('PLUMBLINE_TEST_POSTGRES_PROGRAMS must name a folder; see .ci/servers')
}

/** Creates a folder of the user that runs PostgreSQL: a server does not run as root. */
export async function createFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'))
  await ownByPostgres(folder)
  return folder
}

async function ownByPostgres(folder: string): Promise<void> {
  if (isRoot) await promisify(execFile)('chown', ['-R', 'postgres', folder])
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

const isRoot = process.getuid?.() === 0

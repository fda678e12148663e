import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { isListening } from './is-listening.ts'
import { asPostgres, createFolder } from './postgres-cluster.ts'

/** PgBouncer in front of a database. */
export interface Pooler {
  /** The address of the database behind it. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts PgBouncer for a database, with fewer connections to it than its clients have. */
export async function startPgbouncer(
  target: string,
  mode: 'session' | 'transaction',
): Promise<Pooler> {
  const { hostname, port: behind, pathname, username } = new URL(target)
  const port = await freePort()
  const folder = await createFolder()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
pooled = host=${hostname} port=${behind || 5432} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : 6}
ignore_startup_parameters = extra_float_digits
`,
  )
  const [first, others] = asPostgres('pgbouncer', '-q', file)
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(first, others, { env, cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'close')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('pgbouncer did not start; see .ci/servers')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}/pooled`,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

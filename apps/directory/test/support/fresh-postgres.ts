import pg from 'pg'

/** An empty PostgreSQL database for one test file. */
export interface FreshDatabase {
  readonly url: string
  /** A connection to it. */
  readonly client: pg.Client
  drop(): Promise<void>
}

/** Creates a database on the server of the tests. */
export async function createFreshDatabase(): Promise<FreshDatabase> {
  const server = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!server) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  const name = `fresh_${crypto.randomUUID().replaceAll('-', '')}`
  const cluster = await connected(server)
  await cluster.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = await connected(url.href)
  return {
    url: url.href,
    client,
    drop: async () => {
      await client.end()
      await cluster.query(`drop database ${name} with (force)`)
      await cluster.end()
    },
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

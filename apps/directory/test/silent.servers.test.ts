import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { rawSql } from '@remix-run/data-table'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../src/store/engines/postgres/postgres.ts'
import { type Store, StoreUnavailableError } from '../src/store/store.ts'

/** A proxy to PostgreSQL that can drop all data without closing its connections. */
let way: Server
let isSilent = false
const sockets: Socket[] = []
let store: Store
beforeAll(async () => {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  const { port: farPort, hostname } = new URL(url)
  way = createServer((near) => {
    const far = connect(Number(farPort || 5432), hostname)
    near.on('data', (chunk) => isSilent || far.write(chunk)).on('close', () => far.destroy())
    far.on('data', (chunk) => isSilent || near.write(chunk)).on('close', () => near.destroy())
    for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const { port } = way.address() as { readonly port: number }
  const here = new URL(url)
  here.host = `127.0.0.1:${port}`
  store = await openPostgres(here.href, { connections: 2, answerTimeout: 200 })
})
afterAll(async () => {
  await store?.close()
  for (const socket of sockets) socket.destroy()
  way.close()
})

it('fails while the database does not answer, and works again when it does', async () => {
  const one = () => store.read((db) => db.exec(rawSql('select 1 as one')))
  const write = () => store.write((db) => db.exec(rawSql('select 1 as one')))
  const works = { rows: [{ one: 1 }] }
  expect(await Promise.all([one(), write()])).toMatchObject([works, works])
  isSilent = true
  const ends = await Promise.allSettled([one(), write(), one(), write()])
  for (const end of ends) {
    expect(end).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  }
  isSilent = false
  expect(await Promise.all([one(), write(), one(), write()])).toMatchObject(Array(4).fill(works))
})

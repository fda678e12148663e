/** Sends the same requests to one API in every framework, at the root and below a prefix. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import * as next from './app/api/[[...path]]/route.ts'
import { checkApi, checkBelowPrefix, type Send, sendTo } from './check-api.ts'
import * as elysia from './elysia.ts'
import * as express from './express.ts'
import * as fastify from './fastify.ts'
import * as router from './fetch-router.ts'
import * as hono from './hono.ts'
import * as itty from './itty-router.ts'
import * as node from './node.ts'

type Start = (context: TestContext) => Send | Promise<Send>

/** Next.js calls the function of the method, and answers a method without a function by 405. */
const callNext: Send = async (request) => {
  const functions: Record<string, Send> = { ...next }
  const answer = functions[request.method] ?? (() => Response.json(null, { status: 405 }))
  return /^\/api(\/|$)/.test(new URL(request.url).pathname)
    ? await answer(request)
    : new Response(null, { status: 404 })
}

await fastify.atRoot.ready()
await fastify.belowPrefix.ready()
const FRAMEWORKS: Readonly<
  Record<string, { readonly atRoot?: Start; readonly belowPrefix: Start }>
> = {
  Hono: {
    atRoot: () => async (request) => hono.atRoot.fetch(request),
    belowPrefix: () => async (request) => hono.belowPrefix.fetch(request),
  },
  '@remix-run/fetch-router': {
    atRoot: () => (request) => router.atRoot.fetch(request),
    belowPrefix: () => (request) => router.belowPrefix.fetch(request),
  },
  'Express 5': {
    atRoot: (context) => listen(context, createServer(express.atRoot)),
    belowPrefix: (context) => listen(context, createServer(express.belowPrefix)),
  },
  Fastify: {
    atRoot: (context) => listen(context, fastify.atRoot.server),
    belowPrefix: (context) => listen(context, fastify.belowPrefix.server),
  },
  Elysia: {
    atRoot: () => async (request) => elysia.atRoot.fetch(request),
    belowPrefix: () => async (request) => elysia.belowPrefix.fetch(request),
  },
  'itty-router': {
    atRoot: () => (request) => itty.atRoot.fetch(request),
    belowPrefix: () => async (request) =>
      (await itty.belowPrefix.fetch(request)) ?? new Response(null, { status: 404 }),
  },
  'node:http': {
    atRoot: (context) => listen(context, node.atRoot),
    belowPrefix: (context) => listen(context, node.belowPrefix),
  },
  'Next.js': { belowPrefix: () => callNext },
}

for (const [name, { atRoot, belowPrefix }] of Object.entries(FRAMEWORKS)) {
  if (atRoot !== undefined) {
    test(`${name} serves the API at the root`, async (context) => {
      await checkApi(await atRoot(context), 'https://books.example', '')
    })
  }
  test(`${name} serves the API below a prefix`, async (context) => {
    await checkBelowPrefix(await belowPrefix(context))
  })
}

/** Starts a server, and sends the requests to it over a socket. */
async function listen(context: TestContext, server: Server): Promise<Send> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return sendTo(port)
}

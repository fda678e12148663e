import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createApi, serveDocument } from './api.ts'

const app = new Hono()
app.get('/openapi.json', ({ req }) => serveDocument(req.raw))
app.mount('/api', createApi().fetch)
serve({ fetch: app.fetch, port: 3000 })

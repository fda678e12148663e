import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { openDatabase } from './schema.ts'

const { SCIM_TOKEN: token, SCIM_BASE: base = '' } = process.env
serve({ fetch: createApp(openDatabase(), { token, base }).fetch, port: 3000 })

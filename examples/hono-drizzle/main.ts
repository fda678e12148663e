import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { openDatabase } from './schema.ts'

const token = process.env['SCIM_TOKEN']
if (!token) throw new Error('SCIM_TOKEN is missing')
serve({ fetch: createApp(openDatabase(), { token }).fetch, port: 3000 })

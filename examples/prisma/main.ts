import { openDatabase } from './schema.ts'
import { createApp } from './server.ts'

const token = process.env['SCIM_TOKEN']
if (!token) throw new Error('SCIM_TOKEN is missing')
const { db } = await openDatabase()
const app = await createApp(db, { token })
await app.listen({ port: 3000 })

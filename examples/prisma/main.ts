import { openDatabase } from './schema.ts'
import { createApp } from './server.ts'

const { SCIM_TOKEN: token, SCIM_BASE: base = '' } = process.env
const { db } = await openDatabase()
const app = await createApp(db, { token, base })
await app.listen({ port: 3000 })

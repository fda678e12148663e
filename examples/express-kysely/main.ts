import { addOrganization, openDatabase } from './schema.ts'
import { createApp } from './server.ts'

const token = process.env['SCIM_TOKEN']
if (!token) throw new Error('SCIM_TOKEN is missing')
const db = await openDatabase()
await addOrganization(db, 'Acme', token)
createApp(db).listen(3000)

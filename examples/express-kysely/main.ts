import { addOrganization, openDatabase } from './schema.ts'
import { createApp } from './server.ts'

const { SCIM_TOKEN: token = '', SCIM_BASE: base = '' } = process.env
if (token.length < 20) throw new TypeError('SCIM_TOKEN must have at least 20 characters')
const db = await openDatabase()
await addOrganization(db, 'Acme', token)
createApp(db, base).listen(3000)

import { openDatabase } from './schema.ts'
import { createApp } from './server.ts'

const token = process.env['SCIM_TOKEN']
if (!token) throw new Error('SCIM_TOKEN is missing')
createApp(await openDatabase(), { token }).listen(3000)

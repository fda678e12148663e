/** Opens each SQLite file that a line of the input names, and prints what came of it: a line each. */
import { createInterface } from 'node:readline'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'

for await (const path of createInterface({ input: process.stdin })) {
  try {
    await (await openSqlite(path)).close()
    console.log('opened')
  } catch (error) {
    console.log(String(error))
  }
}

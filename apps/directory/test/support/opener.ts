/** Opens the SQLite file of each input line, and prints the outcome as a line. */
import { createInterface } from 'node:readline'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'

for await (const path of createInterface({ input: process.stdin })) {
  try {
    await (await openSqlite(path)).close()
    console.log('opened')
  } catch (error) {
    console.log(String(error))
  }
}

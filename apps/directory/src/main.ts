import { StopError } from './commands/exit.ts'
import { run } from './commands/run.ts'

try {
  await run(process.argv.slice(2), process.env)
} catch (error) {
  if (!(error instanceof StopError)) throw error
  console.error(error.message)
  process.exit(error.code)
}

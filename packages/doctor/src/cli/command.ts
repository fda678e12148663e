#!/usr/bin/env node
import { runCommand } from './run-command.ts'

const code = await runCommand(process.argv.slice(2), process)
// After a timeout, a request's connection can stay open for minutes. A pipe is written before the process ends.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
}
process.exit(code)

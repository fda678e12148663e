/** Formats the repository. */
import { install } from './install.ts'
import { run, tool } from './run.ts'

await install('scripts/tools')
const { code, output } = await run(tool('biome'), ['check', '--write', '.'])
console.log(output)
process.exitCode = code

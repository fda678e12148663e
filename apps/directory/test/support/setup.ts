/** Runs before each test file of `npm test`, whose workers evaluate the modules once for all files. */
import { startRecord } from './harness.ts'

startRecord()

/**
 * Serves the bookshop whose number is the argument, sends its port and a book's path, and then the processor time when
 * asked.
 */
import { memberOf, post } from './exchanges.ts'
import { SERVED } from './served.ts'

const served = SERVED[Number(process.argv[2])]
if (served === undefined) throw new TypeError(`unknown contender: ${process.argv[2]}`)
const { send, listen } = await served.start()
const { text } = await send(post())
process.send?.({ port: await listen(), path: `/books/${memberOf(text, 'id')}` })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ microseconds: user + system })
})

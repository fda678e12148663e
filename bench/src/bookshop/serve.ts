/** Serves the bookshop whose number is the argument, and sends its port and a book's path. */
import { CONTENDERS } from './contenders.ts'
import { memberOf, post } from './exchanges.ts'

const contender = CONTENDERS[Number(process.argv[2])]
if (contender === undefined) throw new TypeError(`unknown contender: ${process.argv[2]}`)
const { send, listen } = await contender.start()
const { text } = await send(post())
process.send?.({ port: await listen(), path: `/books/${memberOf(text, 'id')}` })

export type { Served } from './lib/incoming.ts'
export { createRequestListener } from './node/listener/request-listener.ts'

export type { Served } from '@plumbline/base'
export { createRequestListener } from './lib/request-listener.ts'

export type { Served, ServeOptions } from './lib/serve/handler.ts'
export { openapiHandler } from './lib/serve/handler.ts'

export type { RequestOrContext, ServeOptions } from './lib/serve/handler.ts'
export { openapiHandler } from './lib/serve/handler.ts'

import { createApi } from './api.ts'

declare const Bun: { serve(options: Options): { readonly port: number } }
type Options = { port: number; fetch: (request: Request) => Promise<Response> }

const api = createApi('https://books.example')
const atRoot = Bun.serve({ port: 0, fetch: api.fetch })

const prefixed = createApi('https://books.example/api', { basePath: '/api' })
const belowPrefix = Bun.serve({ port: 0, fetch: prefixed.fetch })

console.log(JSON.stringify({ atRoot: atRoot.port, belowPrefix: belowPrefix.port }))

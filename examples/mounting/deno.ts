import { createApi } from './api.ts'

declare const Deno: { serve(options: { port: number; onListen(): void }, fetch: Fetch): Server }
type Fetch = (request: Request) => Promise<Response>
type Server = { readonly addr: { readonly port: number } }
const options = { port: 0, onListen() {} }

const api = createApi('https://books.example')
const atRoot = Deno.serve(options, api.fetch)

const prefixed = createApi('https://books.example/api', { basePath: '/api' })
const belowPrefix = Deno.serve(options, prefixed.fetch)

console.log(JSON.stringify({ atRoot: atRoot.addr.port, belowPrefix: belowPrefix.addr.port }))

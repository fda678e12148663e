import { Router } from 'itty-router'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = Router().all('*', (request: Request) => api.fetch(request))

const prefixed = createApi('https://books.example/api')
export const belowPrefix = Router().all('/api/*', (request: Request) => prefixed.fetch(request))

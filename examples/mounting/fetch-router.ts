import { createRouter } from '@remix-run/fetch-router'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = createRouter()
atRoot.route('ANY', '/*', ({ request }) => api.fetch(request))

const prefixed = createApi('https://books.example/api')
export const belowPrefix = createRouter()
belowPrefix.route('ANY', '/api/*', ({ request }) => prefixed.fetch(request))

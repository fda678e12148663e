import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = createServer(getRequestListener(api.fetch))

const prefixed = createApi('https://books.example/api', { basePath: '/api' })
export const belowPrefix = createServer(getRequestListener(prefixed.fetch))

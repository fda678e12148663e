import { createServer } from 'node:http'
import { createRequestListener } from '@plumbline/openapi/node'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = createServer(createRequestListener(api))

const prefixed = createApi('https://books.example/api', { basePath: '/api' })
export const belowPrefix = createServer(createRequestListener(prefixed))

import middie from '@fastify/middie'
import { createRequestListener } from '@plumbline/openapi/node'
import fastify from 'fastify'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = fastify()
await atRoot.register(middie)
atRoot.use(createRequestListener(api))

const prefixed = createApi('https://books.example/api')
export const belowPrefix = fastify()
await belowPrefix.register(middie)
belowPrefix.use('/api', createRequestListener(prefixed))

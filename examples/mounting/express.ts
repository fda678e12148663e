import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = express().use(getRequestListener(api.fetch))

// Express removes the prefix from the URL, so the API is also matched at the root.
const prefixed = createApi('https://books.example/api')
export const belowPrefix = express().use('/api', getRequestListener(prefixed.fetch))

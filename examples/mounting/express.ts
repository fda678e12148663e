import { createRequestListener } from '@plumbline/openapi/node'
import express from 'express'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = express().use(createRequestListener(api))

// Express removes the prefix from the URL, so the API is also matched at the root.
const prefixed = createApi('https://books.example/api')
export const belowPrefix = express().use('/api', createRequestListener(prefixed))

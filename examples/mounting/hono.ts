import { Hono } from 'hono'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = new Hono().mount('/', api.fetch)

const prefixed = createApi('https://books.example/api')
export const belowPrefix = new Hono().mount('/api', prefixed.fetch)

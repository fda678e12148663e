import { Elysia } from 'elysia'
import { createApi } from './api.ts'

const api = createApi('https://books.example')
export const atRoot = new Elysia().mount(api.fetch)

const prefixed = createApi('https://books.example/api')
export const belowPrefix = new Elysia().mount('/api', prefixed.fetch)

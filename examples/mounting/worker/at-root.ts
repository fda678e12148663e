import { createApi } from '../api.ts'

const api = createApi('https://books.example')
export default { fetch: api.fetch }

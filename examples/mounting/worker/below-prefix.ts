import { createApi } from '../api.ts'

const { fetch } = createApi('https://books.example/api', { basePath: '/api' })
export default { fetch }

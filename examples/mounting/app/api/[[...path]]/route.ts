import { createApi } from '../../../api.ts'

const { fetch } = createApi('https://books.example/api')

export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
}

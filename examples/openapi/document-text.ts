/** The document as YAML, for a file snapshot that shows changes of the contract in review. */
import { createDocument, defineOperation, parse, stringify } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'

const deleteBook = defineOperation('deleteBook', 'DELETE /books/:id', {
  summary: 'Delete a book',
  responses: { 204: { description: 'Deleted' } },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0' } }).add(deleteBook)

// In a test: await expect(text).toMatchFileSnapshot('openapi.yaml')
const text = unwrap(stringify(unwrap(builder.build()), { format: 'yaml' }))
text.split('\n').slice(2, 7) //=> [
//     'info:',
//     '  title: Books',
//     "  version: '1.0'",
//     'paths:',
//     '  /books/{id}:',
//   ]
unwrap(parse(text)).info.version //=> '1.0'

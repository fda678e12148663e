/** The page. It imports only the type of the document, and reads the manifest from the server. */
import { createClient } from '@plumbline/openapi/client'
import type { builder } from './api.ts'

const manifest = await (await fetch('/manifest.json')).json()
const client = createClient<typeof builder>(manifest, { baseUrl: location.origin })

async function readBook(id: string): Promise<string> {
  const answer = await client.readBook({ params: { id }, query: { pages: 320 } })
  if (answer.status === 200) return `${answer.body.title}, ${answer.body.pages} pages`
  if (answer.status !== 404) return answer.body.title
  const { body } = answer
  // The type of a problem decides its members.
  return body.type === 'https://books.example/problems/gone'
    ? `gone since ${body.since}`
    : body.title
}

async function saveCover(cover: File): Promise<string> {
  const params = { id: 'b1' }
  const answer = await client.saveCover({ params, contentType: 'image/png', body: cover })
  return answer.status === 200
    ? `${answer.body.size} bytes of ${answer.body.type}`
    : answer.body.title
}

const output = document.querySelector('output') as HTMLOutputElement
const show = async (text: Promise<string>) => {
  output.value = await text.catch(String)
}
const id = document.querySelector('input[name=id]') as HTMLInputElement
const file = document.querySelector('input[type=file]') as HTMLInputElement
id.addEventListener('change', () => show(readBook(id.value)))
file.addEventListener('change', () => show(saveCover(file.files?.[0] as File)))

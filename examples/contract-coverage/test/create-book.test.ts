import { describe, expect, it } from 'vitest'
import { send } from './send.ts'

describe('createBook', () => {
  it('createBook accepts JSON', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ title: 'Persuasion' })
    const response = await send('/books', { method: 'POST', headers, body })
    expect(response.status).toBe(201)
  })

  it('createBook accepts a form', async () => {
    const body = new URLSearchParams({ title: 'Persuasion' })
    const response = await send('/books', { method: 'POST', body })
    expect(response.status).toBe(201)
  })

  it('createBook rejects an empty title', async () => {
    const body = new URLSearchParams({ title: '' })
    const response = await send('/books', { method: 'POST', body })
    expect(response.status).toBe(422)
  })
})

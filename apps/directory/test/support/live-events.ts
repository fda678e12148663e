/** An event of a stream of the directory. */
export interface LiveEvent {
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns a function that reads the next event of a stream; null at its end. */
export function createEventReader({ body }: Response): () => Promise<LiveEvent | null> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    for (;;) {
      const event = /event: \w+\nid: ([\w.]+)\ndata: (.*)\n\n/.exec(text)
      if (event !== null) {
        text = text.slice(event.index + event[0].length)
        return { id: event[1] ?? '', data: JSON.parse(event[2] ?? '') }
      }
      const read = await reader?.read()
      if (read === undefined || read.done) return null
      text += read.value
    }
  }
}

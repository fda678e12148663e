/**
 * Replaces each event's data in a stream of server-sent events. An event must have at most one line of data. Comments
 * and other fields stay as they are. The new data may contain line breaks.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function mapEvents(
  events: ReadableStream<Uint8Array<ArrayBuffer>>,
  map: (data: string) => Promise<string>,
): ReadableStream<Uint8Array> {
  let rest = ''
  const mapped = new TransformStream<string, string>({
    transform: async (chunk, controller) => {
      const blocks = `${rest}${chunk}`.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) controller.enqueue(`${await mapBlock(block, map)}\n\n`)
    },
  })
  return events
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(mapped)
    .pipeThrough(new TextEncoderStream())
}

async function mapBlock(block: string, map: (data: string) => Promise<string>): Promise<string> {
  const [fields = '', data] = block.split('\ndata: ')
  if (data === undefined) return block
  // In an event, a carriage return also ends a line.
  const lines = (await map(data)).split(/\r\n|\r|\n/)
  return [fields, ...lines.map((line) => `data: ${line}`)].join('\n')
}

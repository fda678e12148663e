import type { Input, Schema } from '../schema/standard-schema.ts'

/** A response body sent in parts, made with `events` or `jsonLines` from `/streams`. */
export interface StreamSpec {
  /** Whether the parts are events or lines. */
  readonly kind: 'events' | 'lines'
  /** The media types in lower case. The first is sent, and all are accepted. */
  readonly mediaTypes: readonly [sent: string, ...accepted: string[]]
  /** The part schemas: for each event's data by event name, or for each line as `line`. */
  readonly parts: Readonly<Record<string, Schema>>
  /** How the parts are written and read. */
  readonly format: StreamFormat
}

/** How stream parts are written, read and described. */
export interface StreamFormat {
  /** Writes one part. Throws a TypeError for parts the stream does not declare or cannot carry. */
  write(part: unknown): string
  /** Whether an event's data is text rather than JSON. */
  isText(name: string): boolean
  /** A comment that keeps the connection open; null if the format lacks comments. */
  readonly heartbeat: string | null
  /** Creates a reader for a stream's bytes, piece by piece. */
  createReader(): PartReader
  /** Describes one part as JSON Schema. `use` returns what the document contains for a schema. */
  describe(use: (schema: Schema, name: string) => unknown): Readonly<Record<string, unknown>>
}

/**
 * Reads one stream's parts. It keeps only the unfinished part. However the bytes are cut, the parts and their faults
 * are the same. It never throws.
 */
export interface PartReader {
  /** Yields the parts ending within a piece. After a part longer than 16 MiB or a line that is not UTF-8, none. */
  read(piece: Uint8Array): Iterable<ReadPart>
  /** Yields the last part, or a fault if the stream ended within a part. */
  end(): Iterable<ReadPart>
}

/** A part the schema has not checked yet. */
export interface ReadPart {
  /** The event's name; `line` for a line. */
  readonly name: string
  /** The value passed to the schema; undefined with a `fault`. */
  readonly value: unknown
  /** The reason why the part cannot be read. */
  readonly fault?: PartFault
  /** The stream's last event ID. */
  readonly id?: string
}

/** Why a part cannot be read. */
export interface PartFault {
  /** The stable reason. */
  readonly code: 'undeclared' | 'malformed' | 'incomplete' | 'too-long'
  /** The reason as a sentence. It may change. */
  readonly message: string
  /** The error the parser threw, if there is one. */
  readonly cause?: unknown
}

/** A stream of server-sent events. */
export interface EventStream<
  Events extends Readonly<Record<string, Schema>> = Readonly<Record<string, Schema>>,
> extends StreamSpec {
  readonly kind: 'events'
  readonly mediaTypes: readonly ['text/event-stream']
  readonly parts: Events
}

/** A stream of JSON lines. */
export interface LineStream<Line extends Schema = Schema> extends StreamSpec {
  readonly kind: 'lines'
  readonly mediaTypes: readonly ['application/jsonl', 'application/x-ndjson']
  readonly parts: { readonly line: Line }
}

/** A stream part as a handler yields it: an event with its data, or a line's value. */
export type StreamPart<Stream> =
  Stream extends EventStream<infer Events>
    ? { [Name in keyof Events & string]: SentEvent<Name, Input<Events[Name]>> }[keyof Events &
        string]
    : Stream extends LineStream<infer Line>
      ? Input<Line>
      : never

/** An event as a handler yields it. */
export interface SentEvent<Name extends string, Data> {
  /** The event's name. */
  readonly event: Name
  /** The data, as the schema receives it. */
  readonly data: Data
  /** The ID a client sends as `Last-Event-ID` when it reconnects: a header value of at most 4,096 characters. */
  readonly id?: string
  /** The time (ms) a client waits before reconnecting; at most 2,147,483,647. */
  readonly retry?: number
}

/** A stream part as a client receives it: an event with its data, or a line's value. */
export type ReceivedPart<Stream> =
  Stream extends EventStream<infer Events>
    ? {
        [Name in keyof Events & string]: Omit<SentEvent<Name, Input<Events[Name]>>, 'retry'>
      }[keyof Events & string]
    : Stream extends LineStream<infer Line>
      ? Input<Line>
      : never

/** The streams an operation's responses declare. */
export type StreamOf<Spec> = Spec extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { readonly stream: infer Stream }
        ? Stream
        : never
    }[keyof Responses]
  : never

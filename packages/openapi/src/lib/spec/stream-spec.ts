import type { Input, Schema } from '../schema/standard-schema.ts'

/** The body of a response that is sent in parts. `events` and `jsonLines` of `/streams` make it. */
export interface StreamSpec {
  /** The kind of its parts. */
  readonly kind: 'events' | 'lines'
  /** The media types in lower case. The first is sent, and all are accepted. */
  readonly mediaTypes: readonly [sent: string, ...accepted: string[]]
  /** The schemas of the parts: of the data of each event by its name, or of each line as `line`. */
  readonly parts: Readonly<Record<string, Schema>>
  /** The format of its parts. */
  readonly format: StreamFormat
}

/** How the parts of a stream are written, read and described. */
export interface StreamFormat {
  /** Writes one part. Throws a TypeError for one that the stream does not declare or cannot carry. */
  write(part: unknown): string
  /** Whether the data of an event is text instead of JSON. */
  isText(name: string): boolean
  /** A comment that keeps the connection open; null if the format does not have comments. */
  readonly heartbeat: string | null
  /** Reads the bytes of a stream, piece by piece. */
  createReader(): PartReader
  /** Describes one part as JSON Schema. `use` returns what the document contains for a schema. */
  describe(use: (schema: Schema, name: string) => unknown): Readonly<Record<string, unknown>>
}

/** Reads the parts of one stream. It keeps only the part that has not ended yet. */
export interface PartReader {
  /** The parts that end within a piece. Throws a RangeError for a part of more than 16 Mi characters. */
  read(piece: Uint8Array): readonly ReadPart[]
  /** The part at the end of the stream, if it is complete, and whether the stream ended within a part. */
  end(): { readonly parts: readonly ReadPart[]; readonly isCut: boolean }
}

/** A part of a stream, before its schema checks it. */
export interface ReadPart {
  /** The name of the event; `line` for a line. */
  readonly name: string
  /** The value that its schema receives; undefined with a `fault`. */
  readonly value: unknown
  /** The reason why the part cannot be read. */
  readonly fault?: string
  /** The last ID of an event in the stream. */
  readonly id?: string
}

/** A stream of server-sent events. */
export interface EventStream<
  Events extends Readonly<Record<string, Schema>> = Readonly<Record<string, Schema>>,
> extends StreamSpec {
  readonly kind: 'events'
  readonly parts: Events
}

/** A stream of lines of JSON. */
export interface LineStream<Line extends Schema = Schema> extends StreamSpec {
  readonly kind: 'lines'
  readonly parts: { readonly line: Line }
}

/** A part of a stream, as a handler yields it: an event with its data, or the value of a line. */
export type StreamPart<Stream> =
  Stream extends EventStream<infer Events>
    ? { [Name in keyof Events & string]: SentEvent<Name, Input<Events[Name]>> }[keyof Events &
        string]
    : Stream extends LineStream<infer Line>
      ? Input<Line>
      : never

/** An event as a handler yields it. */
export interface SentEvent<Name extends string, Data> {
  /** The name of the event. */
  readonly event: Name
  /** The data, as its schema receives it. */
  readonly data: Data
  /** The ID that a client sends as `Last-Event-ID` when it reconnects. */
  readonly id?: string
  /** The time (ms) that a client waits before it reconnects. */
  readonly retry?: number
}

/** A part of a stream, as a client receives it: an event with its data, or the value of a line. */
export type ReceivedPart<Stream> =
  Stream extends EventStream<infer Events>
    ? {
        [Name in keyof Events & string]: Omit<SentEvent<Name, Input<Events[Name]>>, 'retry'>
      }[keyof Events & string]
    : Stream extends LineStream<infer Line>
      ? Input<Line>
      : never

/** The streams that the responses of an operation declare. */
export type StreamOf<Spec> = Spec extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { readonly stream: infer Stream }
        ? Stream
        : never
    }[keyof Responses]
  : never

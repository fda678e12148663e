export type {
  EventStream,
  LineStream,
  PartFault,
  PartReader,
  ReadPart,
  ReceivedPart,
  SentEvent,
  StreamFormat,
  StreamPart,
  StreamSpec,
} from './lib/spec/stream-spec.ts'
export { events } from './lib/stream/events.ts'
export { jsonLines } from './lib/stream/json-lines.ts'

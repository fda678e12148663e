export { checkFieldValue } from './lib/field-value.ts'
export type { Defined } from './lib/json/defined.ts'
export { defined } from './lib/json/defined.ts'
export { checkMembers } from './lib/json/members.ts'
export { memoize } from './lib/json/memoize.ts'
export { NUMBER } from './lib/json/number.ts'
export type { JsonObject } from './lib/json/object.ts'
export {
  copyPlain,
  isJsonObject,
  isPlain,
  own,
  removePrototypes,
  setOwn,
} from './lib/json/object.ts'
export type { Step } from './lib/json/pointer.ts'
export { DEFINITIONS, nameInReference } from './lib/json/pointer.ts'
export type { Components } from './lib/json-schema/accepts.ts'
export { accepts, lengthOf, targetOf, typeOf } from './lib/json-schema/accepts.ts'
export { canonicalText, equal } from './lib/json-schema/equal.ts'
export { FORMATS } from './lib/json-schema/formats.ts'
export { sampleOf } from './lib/json-schema/sample.ts'
export { createWork, enter, isExaminedWhole, leave, type Work } from './lib/json-schema/work.ts'
export type { MediaRange } from './lib/media-types.ts'
export {
  ANY_TYPE,
  byMediaRange,
  FORM,
  isBinaryType,
  isJson,
  JSON_RANGES,
  MULTIPART,
  matchesRange,
  mediaTypeOf,
  parameterOf,
  parseMediaRange,
  TOKEN,
} from './lib/media-types.ts'
export { notify, printFailure } from './lib/notify.ts'
export type { Form, Forms } from './lib/options.ts'
export {
  BOOLEAN,
  FUNCTION,
  kindOf,
  LIST,
  OBJECT,
  oneOf,
  optionFault,
  required,
  requireOptions,
  STRING,
  STRINGS,
  whole,
} from './lib/options.ts'
export type { Outcome } from './lib/outcome.ts'
export { concatenate, readPieces } from './lib/read-pieces.ts'
export { isReported, noteReported } from './lib/reported.ts'
export { type BodyOwner, BodyReadError, checkUnread } from './lib/request/body-read-error.ts'
export { incomingOf } from './lib/request/given-request.ts'
export {
  type Bytes,
  type Incoming,
  isPlainRequest,
  isResponse,
  type KnownContent,
  queryOf,
  type Recover,
  readBody,
  receiverOf,
  receives,
  requestOf,
  type Served,
  type TextInit,
} from './lib/request/incoming.ts'
export { readStream } from './lib/request/read-stream.ts'
export { isTime, MAX_TIMEOUT_MS, WHOLE_MILLISECONDS } from './lib/timer.ts'

export type { Answer, AnswerProblems } from './lib/server/answer.ts'
export type { Forbidden } from './lib/server/forbidden.ts'
export { FORBIDDEN, forbidden } from './lib/server/forbidden.ts'
export { implement } from './lib/server/implement.ts'
export type { ReferencePage } from './lib/server/reference-page.ts'
export type { Bytes, HeaderValue, Reply } from './lib/server/reply-types.ts'
export type {
  ApiKey,
  BearerToken,
  Credentials,
  OperationPrincipal,
  OtherCredentials,
  UserAndPassword,
  Verifiers,
} from './lib/server/security-types.ts'
export type {
  Api,
  ErrorContext,
  ExchangeContext,
  Handler,
  HandlerContext,
  Handlers,
  HandlersOf,
  ImplementOptions,
  MatchedRequest,
  ServerOptions,
  StreamContext,
} from './lib/server/types.ts'

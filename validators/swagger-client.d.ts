declare module 'swagger-client' {
  /** Resolves every reference of a document. A reference that cannot be resolved is among the errors. */
  export function resolve(options: {
    readonly spec: unknown
  }): Promise<{ readonly spec: unknown; readonly errors: readonly { readonly message: string }[] }>

  /** Makes the request of an operation. `spec` is a document whose references were resolved. */
  export function buildRequest(options: {
    readonly spec: unknown
    readonly operationId: string
    readonly requestBody: unknown
    readonly requestContentType: string
  }): { readonly url: string; readonly method: string; readonly body: FormData | string }
}

declare module 'swagger-client' {
  /** Follows every reference of a document; what leads nowhere is among the errors. */
  export function resolve(options: {
    readonly spec: unknown
  }): Promise<{ readonly errors: readonly { readonly message: string }[] }>
}

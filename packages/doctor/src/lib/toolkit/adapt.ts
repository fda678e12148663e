/** Changes a generated resource so the server accepts it. The resources for different numbers must stay different. */
export type Adapt = (
  resource: Record<string, unknown>,
  about: { readonly resourceType: string; readonly number: number },
) => Record<string, unknown>

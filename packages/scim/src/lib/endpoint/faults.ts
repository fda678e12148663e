/** The error of a store that does not do what `ResourceStore` asks for. It names the store and the fault. */
export function storeFault(
  { name }: { readonly name: string },
  method: string,
  what: string,
): TypeError {
  return new TypeError(`the store of ${name} returned ${what} (${method})`)
}

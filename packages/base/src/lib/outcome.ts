/** An internal step's outcome: its value, or the fault that prevents it. */
export type Outcome<Value, Fault extends object> =
  | { readonly value: Value; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: Fault }

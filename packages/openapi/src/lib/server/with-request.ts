import type { Incoming } from '@plumbline/base'

/** An object whose `request` may be made only when it is read. A copy of the object has it as well. */
export class WithRequest {
  declare readonly request: Request
  readonly #incoming: Incoming

  constructor(incoming: Incoming) {
    this.#incoming = incoming
    if (incoming.toRequest === undefined) Reflect.set(this, 'request', incoming)
    else Object.defineProperty(this, 'request', WithRequest.#onDemand)
  }

  /** Some servers make a request's signal only when it is read, too. */
  get signal(): AbortSignal {
    return this.#incoming.signal
  }

  // A getter of an object literal, which is another function for each object, would take twice as long.
  static readonly #onDemand: PropertyDescriptor & ThisType<WithRequest> = {
    get() {
      return this.#incoming.toRequest?.()
    },
    enumerable: true,
    configurable: true,
  }
}

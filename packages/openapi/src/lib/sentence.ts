/** The facts a sentence quotes: `name` and `other` in `'{name} is the same header as {other}'`. */
export type Facts<Sentence extends string> = Readonly<Record<NamesIn<Sentence>, string>>

type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** A code from a sentence table, with the facts the sentence quotes. */
export type Coded<Sentences extends Readonly<Record<string, string>>> = {
  readonly [Code in keyof Sentences]: { readonly code: Code } & Facts<Sentences[Code]>
}[keyof Sentences]

/** Replaces each `{name}` in a sentence with the fact called `name`. */
export function fillIn(sentence: string, facts: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')
}

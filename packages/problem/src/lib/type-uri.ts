/**
 * A problem's `type` as a literal type, if the URL parser keeps every character in its base and slug, such as
 * `https://example.com/problems` and `not-found`; otherwise `string`. Types do not resolve a port, a query, an absolute
 * slug, or dots in a path.
 */
export type TypeUri<Base extends string, Slug extends string> =
  IsPlainBase<Base> extends true
    ? IsPlainSlug<Slug> extends true
      ? Base extends `${string}/`
        ? `${Base}${Slug}`
        : `${Base}/${Slug}`
      : string
    : string

type IsPlainBase<Base extends string> = Base extends `${'http' | 'https'}://${infer Rest}`
  ? Rest extends `${infer Host}/${infer Path}`
    ? IsPlainHost<Host> extends true
      ? Consists<Path, PathCharacter>
      : false
    : IsPlainHost<Rest>
  : false

// A host ending with a digit may be an IPv4 address, which has several forms.
type IsPlainHost<Host extends string> = Host extends `${string}${Letter}`
  ? Consists<Host, Letter | Digit | '-' | '.'>
  : false

type IsPlainSlug<Slug extends string> = Slug extends '' | `/${string}`
  ? false
  : Consists<Slug, PathCharacter>

/** Whether a literal has only these characters. */
type Consists<Text extends string, Character extends string> = Text extends ''
  ? true
  : Text extends `${infer First}${infer Rest}`
    ? First extends Character
      ? Consists<Rest, Character>
      : false
    : false

type PathCharacter = Letter | Uppercase<Letter> | Digit | '-' | '_' | '/'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type Letter = SplitUp<'abcdefghijklmnopqrstuvwxyz'>
type SplitUp<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First | SplitUp<Rest>
  : never

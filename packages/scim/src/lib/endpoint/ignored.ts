/** Adds the path of an ignored attribute to those of a request, which a client cannot make many or long. */
export function addIgnored(paths: Set<string>, path: string): void {
  if (paths.size < MOST_IGNORED) paths.add(path.slice(0, LONGEST_PATH).toWellFormed())
}

/** How many paths are reported. */
const MOST_IGNORED = 20
/** In code units. */
const LONGEST_PATH = 200

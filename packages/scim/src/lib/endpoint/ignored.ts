/** Records that a request's attribute was ignored. A client cannot make the paths many or long. */
export function addIgnored(paths: Set<string>, path: string): void {
  if (paths.size < MOST_IGNORED) paths.add(path.slice(0, LONGEST_PATH).toWellFormed())
}

/** How many paths are reported. */
const MOST_IGNORED = 20
/** In code units. */
const LONGEST_PATH = 200

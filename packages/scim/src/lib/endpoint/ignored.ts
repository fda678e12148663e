/** Records that a request's attribute was ignored. A client cannot make the paths many or long. */
export function addIgnored(paths: Set<string>, path: string): void {
  if (paths.size < MAX_IGNORED) paths.add(path.slice(0, MAX_PATH_LENGTH).toWellFormed())
}

/** How many paths are reported. */
const MAX_IGNORED = 20
/** In code units. */
const MAX_PATH_LENGTH = 200

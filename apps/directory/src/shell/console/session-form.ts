import type { Session } from '../../kernel/access/sessions.ts'
import { BODY_LIMIT } from '../../kernel/limits.ts'
import { FORM_TOKEN } from './components/form.ts'
import { ConsoleError } from './faults.ts'
import { readForm } from './read-form.ts'
import { isFormToken } from './seal.ts'

/** Reads a posted form's fields. The form must come from a page in this session. */
export async function readSessionForm(
  request: Request,
  { secret }: Pick<Session, 'secret'>,
): Promise<URLSearchParams> {
  if (request.method !== 'POST') return new URLSearchParams()
  const form = await readForm(request, BODY_LIMIT)
  if (form === null) throw new ConsoleError(413, 'The form is too large, or not a form.')
  if (!isFormToken(form.get(FORM_TOKEN), secret)) {
    throw new ConsoleError(403, 'The form is of another session. Open the page again.')
  }
  return form
}

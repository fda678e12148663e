import { compareForms } from '../requests/forms.ts'
import { compareJson } from '../requests/json.ts'
import { compareQuery } from '../requests/query.ts'

export async function run(): Promise<void> {
  await compareJson()
  await compareQuery()
  await compareForms()
}

import type { FormFault } from '../../core/contract/page-views.ts'
import { HttpError, NoAnswerError } from './http.ts'
import { countFault } from './page-views.ts'

/** Counts the fields that a form was refused for, each once for a view of the page. */
export function countInvalid(errors: object): void {
  for (const name of Object.keys(errors)) countFault(faultOf(name))
}

/** Counts why a form could not be sent: the fields that the server refused, or else what failed. */
export function countFailure(error: Error): void {
  if (error instanceof HttpError && error.fields) countInvalid(error.fields)
  else countFault(error instanceof NoAnswerError ? 'connection' : 'server')
}

function faultOf(name: string): FormFault {
  switch (name) {
    case 'first_name':
    case 'last_name':
    case 'email':
    case 'phone':
    case 'zip_code':
      return name
    case 'acceptance_consent':
      return 'consent'
    default:
      return 'server'
  }
}

import { type ApplicationForm, ApplicationReceipt } from '../../../../core/contract/applications.ts'
import { call } from '../../../lib/http.ts'
import type { SignsOfLife } from '../../../lib/signs-of-life.ts'
import { endpoints } from '../../../paths.ts'

type NewApplicationRequest = { application: ApplicationForm & SignsOfLife; idempotencyKey: string }

export function createApplication({ application, idempotencyKey }: NewApplicationRequest): Promise<ApplicationReceipt> {
  return call(endpoints.newApplication, {
    method: 'POST',
    headers: { 'idempotency-key': idempotencyKey },
    body: application,
    answer: ApplicationReceipt,
  })
}

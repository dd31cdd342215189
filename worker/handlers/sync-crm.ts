import { CrmPurpose } from '../../core/contract/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { Handler } from './handler.ts'

export const syncCrm: Handler = async (job, lead, { db, crm }) => {
  if (!crm) throw new NotNeeded('No CRM is connected (CRM_KIND is none).')

  const provider = lead.provider_id === null ? null : await providers.find(db, lead.provider_id)
  const purpose = CrmPurpose.parse(job.purpose)
  const { status, externalId } = await crm.send({ messageId: `msg_${job.id}`, purpose, lead, provider })
  return {
    result: { status, ...(externalId && { externalId }) },
    async commit(trx, current) {
      if (externalId) await leads.setExternalId(trx, current.id, externalId)
    },
  }
}

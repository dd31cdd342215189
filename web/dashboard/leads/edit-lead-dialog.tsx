import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { editLead, type LeadEdit, matchAgain, sendAgain } from '../../../core/contract/lead-edit.ts'
import { LEAD_FIELD_NAMES, LEAD_FIELDS } from '../../../core/contract/lead-form.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { act } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LeadFields, type TypedLead } from './lead-fields.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = { lead: Lead; onClose: () => void }

/** Corrects the fields of a lead, then offers what the correction makes useful. */
export function EditLeadDialog({ lead, onClose }: Props) {
  const [saved, setSaved] = useState<LeadEdit>()
  if (saved) return <Offer {...{ lead, saved, onClose }} />
  return (
    <EditForm
      lead={lead}
      onClose={onClose}
      onSaved={(change) => (offersOf(lead, change).length > 0 ? setSaved(change) : onClose())}
    />
  )
}

function EditForm({ lead, onClose, onSaved }: Props & { onSaved: (change: LeadEdit) => void }) {
  const form = useForm<TypedLead>({
    resolver: standardSchemaResolver(z.object(LEAD_FIELDS)),
    defaultValues: Object.fromEntries(LEAD_FIELD_NAMES.map((name) => [name, lead[name] ?? ''])),
  })
  const save = useLeadAction({
    act: async (body: LeadEdit) => {
      await act(editLead, { params: { id: lead.id }, body })
      return body
    },
    done: (body) => onSaved(body),
    failed: 'Failed to save',
  })
  function submit(typed: TypedLead) {
    const changed = LEAD_FIELD_NAMES.filter((name) => typed[name] !== (lead[name] ?? ''))
    if (changed.length === 0) onClose()
    else save.mutate(Object.fromEntries(changed.map((name) => [name, typed[name]])))
  }
  return (
    <Dialog title="Edit the lead" onClose={onClose} className="w-xl max-w-full p-5">
      <form onSubmit={form.handleSubmit(submit)} noValidate className="mt-3">
        <LeadFields register={form.register} errors={form.formState.errors} />
        {lead.outcome === 'wrong_number' && (
          <p className="mb-2 text-sm text-ink">
            The phone number is wrong. With a new one, the clinic gets the request again, and its time for an answer.
          </p>
        )}
        <p className="text-sm text-quiet">The values before stay in “What happened”. The CRM gets the correction.</p>
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type OfferKind = 'send' | 'match'

/**
 * Returns what may be done after a correction. A held lead has no deliveries, and the clinic of a wrong number gets the new one
 * anyway.
 */
function offersOf({ held_reason, provider_id, outcome }: Lead, change: LeadEdit): OfferKind[] {
  if (held_reason !== null) return []
  if (outcome === 'wrong_number' && change.phone !== undefined && change.email === undefined) return []
  if (change.zip_code !== undefined && provider_id === null) return ['match']
  return change.email !== undefined || change.phone !== undefined ? ['send'] : []
}

function Offer({ lead, saved, onClose }: Props & { saved: LeadEdit }) {
  const send = useLeadAction({
    act: () => act(sendAgain, { params: { id: lead.id } }),
    done: 'The e-mails are on their way',
    failed: 'Failed to send the e-mails',
  })
  const match = useLeadAction({
    act: () => act(matchAgain, { params: { id: lead.id } }),
    done: 'Looking for a clinic',
    failed: 'Failed to match',
  })
  const isMatch = offersOf(lead, saved)[0] === 'match'
  const action = isMatch ? match : send
  const others = lead.provider_id === null ? 'the team' : 'the clinic'
  return (
    <Dialog
      title={isMatch ? 'Match again?' : 'Send the e-mails again?'}
      onClose={onClose}
      className="w-md max-w-full p-5"
    >
      <p className="mt-3 text-sm text-ink">
        {isMatch
          ? `Saved. Look for a clinic near ${saved.zip_code}? If one is in reach, it gets the lead.`
          : `Saved. The confirmation to ${saved.email ?? lead.email} and the e-mail to ${others} are sent again with the new details.`}
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          No
        </Button>
        <Button busy={action.isPending} onClick={() => action.mutate(undefined, { onSuccess: onClose })}>
          {isMatch ? 'Match again' : 'Send again'}
        </Button>
      </div>
    </Dialog>
  )
}

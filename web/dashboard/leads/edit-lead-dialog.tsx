import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CONSENT } from '../../../core/contract/consent.ts'
import { LEAD_FIELD_NAMES, LEAD_FIELDS } from '../../../core/contract/lead-form.ts'
import { editLead, enterLead, LeadByPhone, type LeadEdit, redoLead } from '../../../core/leads/contract/lead-changes.ts'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { Button, SmallButton } from '../../ui/button.tsx'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError, fieldsOf, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useLeadAction } from './use-lead-action.ts'
import { leadQuery } from './use-leads-page.ts'

type Props = { lead: Lead; onClose: () => void }

/** Corrects the fields of a lead, then offers what the correction makes useful. */
export function EditLeadDialog({ lead, onClose }: Props) {
  const [saved, setSaved] = useState<LeadEdit>()
  const form = useForm<TypedLead>({
    resolver: standardSchemaResolver(z.object(LEAD_FIELDS)),
    defaultValues: Object.fromEntries(LEAD_FIELD_NAMES.map((name) => [name, lead[name] ?? ''])),
  })
  const save = useLeadAction({
    act: (body: LeadEdit) => act(editLead, { params: { id: lead.id }, body }),
    done: (_, body) => (offerOf(lead, body) ? setSaved(body) : onClose()),
    failed: 'Failed to save',
  })
  function submit(typed: TypedLead) {
    const changed = LEAD_FIELD_NAMES.filter((name) => typed[name] !== (lead[name] ?? ''))
    if (changed.length === 0) onClose()
    else save.mutate(Object.fromEntries(changed.map((name) => [name, typed[name]])))
  }
  if (saved) return <Offer {...{ lead, saved, onClose }} />
  return (
    <Dialog title="Edit the lead" onClose={onClose} className="w-xl max-w-full p-5">
      <form onSubmit={form.handleSubmit(submit)} noValidate className="mt-3">
        <LeadFields field={fieldsOf(form)} />
        {lead.outcome === 'wrong_number' && (
          <p className="mb-2 text-sm text-ink">
            The phone number is wrong. With a new one, the provider gets the request again, and its time for an answer.
          </p>
        )}
        <p className="text-sm text-quiet">Previous values stay in “What happened”. The CRM is updated.</p>
        <FormButtons className="mt-4" submit="Save" busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/**
 * Returns what may be done after a correction. A held lead has no deliveries, and the provider of a wrong number gets the new one
 * anyway.
 */
function offerOf({ held_reason, provider_id, outcome }: Lead, { email, phone, zip_code }: LeadEdit) {
  if (held_reason !== null || (outcome === 'wrong_number' && phone !== undefined && email === undefined))
    return undefined
  if (zip_code !== undefined && provider_id === null) return 'match'
  return email !== undefined || phone !== undefined ? 'send' : undefined
}

function Offer({ lead, saved, onClose }: Props & { saved: LeadEdit }) {
  const isMatch = offerOf(lead, saved) === 'match'
  const action = useLeadAction({
    act: () => act(redoLead, { params: { id: lead.id }, body: { what: isMatch ? 'match' : 'send' } }),
    done: isMatch ? 'Looking for a provider' : 'The emails are on their way',
    failed: isMatch ? 'Failed to match' : 'Failed to send the emails',
  })
  const others = lead.provider_id === null ? 'the team' : 'the provider'
  return (
    <Dialog
      title={isMatch ? 'Match again?' : 'Send the emails again?'}
      onClose={onClose}
      className="w-md max-w-full p-5"
    >
      <p className="mt-3 text-sm text-ink">
        {isMatch
          ? `Saved. Look for a provider near ${saved.zip_code}? If one is in reach, it gets the lead.`
          : `Saved. The confirmation to ${saved.email ?? lead.email} and the email to ${others} are sent again with the new details.`}
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

type TypedLead = { first_name: string; last_name: string; email: string; phone: string; zip_code: string }

type Field = (name: keyof TypedLead) => Partial<ComponentProps<typeof TextField>>

/** Renders the fields that describe a person, for staff who type them. */
function LeadFields({ field }: { field: Field }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-2">
      {FIELDS.map(({ name, ...input }) => (
        <TextField key={name} autoComplete="off" {...input} {...field(name)} />
      ))}
    </div>
  )
}

const FIELDS = [
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
  { name: 'phone', label: 'Phone number', type: 'tel' },
  { name: 'email', label: 'Email', type: 'email' },
  { name: 'zip_code', label: 'Zip code', inputMode: 'numeric' },
] as const

/** Corrects the phone number of a lead, by its id. */
export function CorrectNumber({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data: lead, isFetching, error } = useQuery({ ...leadQuery(id), enabled: isOpen })
  return (
    <>
      <SmallButton
        busy={isOpen && isFetching && !lead}
        title={error?.message}
        aria-label={`Correct the phone number of ${name}`}
        onClick={() => setOpen(true)}
      >
        Correct...
      </SmallButton>
      {isOpen && lead && <EditLeadDialog lead={lead} onClose={() => setOpen(false)} />}
    </>
  )
}

const { version, wording, sharing } = CONSENT.phone

/** Enters a lead that phoned. The consent is read aloud, and its record says by whom. */
export function NewLeadDialog({ onEntered, onClose }: { onEntered: (id: number) => void; onClose: () => void }) {
  const form = useForm({
    resolver: standardSchemaResolver(LeadByPhone),
    defaultValues: {
      ...{ first_name: '', last_name: '', email: '', phone: '', zip_code: '' },
      ...{ consent_version: version, agreed: false },
    },
  })
  const { errors } = form.formState
  const enter = useLeadAction({
    act: (body: LeadByPhone) => call(enterLead, { body }),
    done: ({ id, held }) => {
      const description = held ? 'The lead is held: this person asked not to be contacted.' : 'Lead entered'
      toast({ title: held ? 'Held' : 'Success', description })
      onEntered(id)
    },
    failed: 'Failed to enter the lead',
  })
  return (
    <Dialog title="New lead" onClose={onClose} className="w-xl max-w-full p-5">
      <form onSubmit={form.handleSubmit((typed) => enter.mutate(typed))} noValidate className="mt-3">
        <LeadFields field={fieldsOf(form)} />
        <fieldset className="rounded-lg border border-line bg-mist p-3">
          <legend className="sr-only">Consent</legend>
          <p className="text-sm text-quiet">Read aloud:</p>
          <p className="mt-1 text-ink">
            “{wording} {sharing.wording}”
          </p>
          <label className="mt-2 flex min-h-11 items-center gap-2.5 text-sm font-semibold text-ink">
            <input
              type="checkbox"
              aria-invalid={errors.agreed ? true : undefined}
              aria-describedby={errors.agreed ? 'new-lead-agreed' : undefined}
              className="size-5 shrink-0 accent-secondary"
              {...form.register('agreed')}
            />
            I read this aloud and the person agreed
          </label>
          <FieldError id="new-lead-agreed" error={errors.agreed?.message} />
        </fieldset>
        <FormButtons className="mt-4" submit="Enter lead" busy={enter.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

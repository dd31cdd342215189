import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CONSENT } from '../../../core/contract/consent.ts'
import { LEAD_FIELD_NAMES, LEAD_FIELDS } from '../../../core/contract/forms.ts'
import { editLead, enterLead, LeadByPhone, type LeadEdit } from '../../../core/leads/contract/lead-changes.ts'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { FormDialog } from '../../ui/confirm.tsx'
import { FieldError, fieldsOf, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import type { LeadDialog } from './lead-dialogs.tsx'
import { useLeadAction } from './use-lead-action.ts'

export const leadDialog: LeadDialog = {
  ...{ position: 1, label: () => 'Edit...', right: 'lead.work', isOffered: () => true, isInPanelOnly: true },
  Dialog: EditLeadDialog,
}

export function EditLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const [again, setAgain] = useState(true)
  const form = useForm<TypedLead>({
    resolver: standardSchemaResolver(z.object(LEAD_FIELDS)),
    defaultValues: Object.fromEntries(LEAD_FIELD_NAMES.map((name) => [name, lead[name] ?? ''])),
  })
  const typed = form.watch()
  const changed = LEAD_FIELD_NAMES.filter((name) => typed[name] !== (lead[name] ?? ''))
  const offer = offerOf(lead, changed)
  const save = useLeadAction({
    act: (body: LeadEdit) => act(editLead, { params: { id: lead.id }, body }),
    done: () => {
      onClose()
      return again && offer ? OFFERS[offer].done : undefined
    },
    failed: 'Failed to save',
  })
  function submit(typed: TypedLead) {
    const fields = Object.fromEntries(changed.map((name) => [name, typed[name]]))
    if (changed.length === 0) onClose()
    else save.mutate({ ...fields, ...(offer && again && { again }) })
  }
  return (
    <FormDialog
      title="Edit the lead"
      className="w-xl"
      submit="Save"
      busy={save.isPending}
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
    >
      <LeadFields field={fieldsOf(form)} />
      {lead.outcome === 'wrong_number' && (
        <p className="mb-2 text-sm text-ink">
          The phone number is wrong. With a new one, the provider gets the request again, and its time for an answer.
        </p>
      )}
      {offer && (
        <CheckField
          label={OFFERS[offer].label(lead)}
          checked={again}
          onChange={({ target }) => setAgain(target.checked)}
        />
      )}
      <p className="text-sm text-quiet">Previous values stay in “What happened”. The CRM is updated.</p>
    </FormDialog>
  )
}

const OFFERS = {
  send: {
    label: ({ provider_id }: Lead) =>
      `Send the emails again, to the visitor and the ${provider_id === null ? 'team' : 'provider'}`,
    done: 'Saved. The emails are on their way.',
  },
  match: { label: () => 'Look for a provider near the new zip code', done: 'Saved. Looking for a provider.' },
}

/** Returns what is of use. A held lead has no deliveries, and the provider of a wrong number gets the new one anyway. */
function offerOf({ held_reason, provider_id, outcome }: Lead, changed: string[]): keyof typeof OFFERS | undefined {
  const [email, phone, zip] = ['email', 'phone', 'zip_code'].map((name) => changed.includes(name))
  if (held_reason !== null || (outcome === 'wrong_number' && phone && !email)) return undefined
  if (zip && provider_id === null) return 'match'
  return email || phone ? 'send' : undefined
}

type TypedLead = { first_name: string; last_name: string; email: string; phone: string; zip_code: string }

type Field = (name: keyof TypedLead) => Partial<ComponentProps<typeof TextField>>

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
    <FormDialog
      title="New lead"
      className="w-xl"
      submit="Enter lead"
      busy={enter.isPending}
      onSubmit={form.handleSubmit((typed) => enter.mutate(typed))}
      onClose={onClose}
    >
      <LeadFields field={fieldsOf(form)} />
      <fieldset className="rounded-lg border border-line bg-mist p-3">
        <legend className="sr-only">Consent</legend>
        <p className="text-sm text-quiet">Read aloud:</p>
        <p className="mt-1 text-ink">
          “{wording} {sharing.wording}”
        </p>
        <CheckField
          label="I read this aloud and the person agreed"
          aria-invalid={errors.agreed ? true : undefined}
          aria-describedby={errors.agreed ? 'new-lead-agreed' : undefined}
          {...form.register('agreed')}
        />
        <FieldError id="new-lead-agreed" error={errors.agreed?.message} />
      </fieldset>
    </FormDialog>
  )
}

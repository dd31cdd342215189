import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { LeadDetails } from '../../../core/leads/contract/leads.ts'
import {
  type ClinicOptOut,
  confirmOptOut,
  liftOptOut,
  listOptOuts,
  StopByHand,
  type Suppression,
  stopContact,
} from '../../../core/privacy/contract/opt-outs.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldsOf, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'

function LiftButton({ of }: { of: { lead_id: number } | { suppression_id: number } }) {
  const [because, setBecause] = useState('')
  return (
    <ConfirmAction
      label="Allow contact..."
      title="Allow contact again?"
      confirmLabel="Allow contact"
      variant="primary"
      disabled={because.trim() === ''}
      act={() => call(liftOptOut, { body: { ...of, because } })}
      done="This person may be contacted again"
      failed="Failed to allow contact"
      changes="leads"
    >
      <p className="mb-4">
        Only if the person asked for it or the opt-out was a mistake. We don’t notify the providers or the CRM.
      </p>
      <TextField
        label="Reason"
        maxLength={300}
        required
        autoComplete="off"
        value={because}
        onChange={({ target }) => setBecause(target.value)}
      />
    </ConfirmAction>
  )
}

export function LeadOptOut({ lead: { id, opt_out } }: { lead: LeadDetails }) {
  const can = useAccess()
  const { since, clinics } = opt_out
  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      {since && <p className="font-semibold text-bad">{suppressedSentence(since)}</p>}
      {clinics.map((clinic) => (
        <ClinicState key={clinic.id} clinic={clinic} />
      ))}
      {since && can('lead.manage') && <LiftButton of={{ lead_id: id }} />}
    </div>
  )
}

/** Returns, for example, `Asked not to be contacted on Nov 20, 2026, by the link in an email.` */
function suppressedSentence({ created_at, kind, reason, ...by }: Suppression): string {
  const ways = {
    link: 'by the link in an email',
    staff: `noted ${byActor(by)}`,
    stop: `STOP noted ${byActor(by)}`,
    clinic: 'as reported by the provider',
  }
  if (kind === 'phone') return `The phone number must not be called, since ${formatDay(created_at)}, ${ways[reason]}.`
  return `Asked not to be contacted on ${formatDay(created_at)}, ${ways[reason]}.`
}

function ClinicState({ clinic }: { clinic: ClinicOptOut }) {
  const can = useAccess()
  const { id, asked_at, due_at, confirmed_at, confirmed_by, confirmed_by_name: actor_name } = clinic
  if (confirmed_at) {
    const by = byActor({ actor: confirmed_by ?? '', actor_name })
    return (
      <p>
        {clinic.clinic}: confirmed on {formatDay(confirmed_at)} {by}.
      </p>
    )
  }
  const isOverdue = Date.parse(due_at) < Date.now()
  const must = isOverdue ? 'had to confirm by' : 'must confirm by'
  return (
    <>
      <p className={isOverdue ? 'font-semibold text-wait' : ''}>
        {clinic.clinic}: notified on {formatDay(asked_at)}, {must} {formatDay(due_at)}
        {isOverdue ? ' but has not. Please call.' : '.'}
      </p>
      {can('lead.work') && (
        <ActionButton
          act={() => act(confirmOptOut, { params: { id } })}
          done="Confirmation recorded"
          failed="Failed to record the confirmation"
          changes="leads"
        >
          Confirmed by phone
        </ActionButton>
      )}
    </>
  )
}

export function StopByHandDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Enter a STOP" className="w-xl max-w-full p-6" onClose={onClose} hasClose>
      <StopForm />
      <Recent />
    </Dialog>
  )
}

function StopForm() {
  const form = useForm({ resolver: standardSchemaResolver(StopByHand), defaultValues: { email: '', phone: '' } })
  const field = fieldsOf(form)
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: (body: StopByHand) => call(stopContact, { body }),
    onSuccess({ leads }) {
      form.reset()
      const found =
        leads > 0
          ? `${countOf(leads, 'lead')} found. ${leads === 1 ? 'Its' : 'Their'} providers and the CRM will be notified.`
          : 'No lead found.'
      toast({ title: 'Success', description: `This person will no longer be contacted. ${found}` })
      return client.invalidateQueries({ queryKey: ['leads'] })
    },
    onError(error) {
      const { fields = {}, sentence } = error instanceof HttpError ? error : {}
      const message = fields.phone ?? fields.email ?? sentence ?? 'The server is not responding. Please try again.'
      form.setError(fields.phone ? 'phone' : 'email', { message })
    },
  })
  return (
    <form onSubmit={form.handleSubmit((contact) => stop.mutate(contact))} noValidate className="mt-2">
      <p className="mb-4">
        For a person who replied STOP or asked on the phone. All contact at this address or number stops, and the
        providers and the CRM that have a request are notified.
      </p>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField label="Email" type="email" autoComplete="off" {...field('email')} />
        <TextField label="Phone number" type="tel" autoComplete="off" {...field('phone')} />
      </div>
      <Button type="submit" variant="danger" busy={stop.isPending}>
        Stop contact
      </Button>
    </form>
  )
}

/** Lists recent suppressions. Addresses and numbers are stored as hashes only, so they cannot be shown. */
function Recent() {
  const can = useAccess()
  const { data } = useQuery({ queryKey: ['leads', 'opt-outs'], queryFn: () => call(listOptOuts) })
  const recent = data?.recent ?? []
  if (recent.length === 0) return null
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="font-semibold text-ink">The latest</h3>
      <p className="text-sm text-quiet">Addresses and numbers are not shown, because only their hashes are stored.</p>
      <ul className="mt-2 divide-y divide-line">
        {recent.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-2">
            <p className="text-sm">
              {rowSentence(row)}
              {row.lifted_at && (
                <span className="block text-quiet">
                  Allowed again on {formatDay(row.lifted_at)}: {row.lifted_because}
                </span>
              )}
            </p>
            {can('lead.manage') && !row.lifted_at && <LiftButton of={{ suppression_id: row.id }} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns, for example, `Email address, Nov 20, 2026, link in an email, lead no. 12`. */
function rowSentence({ kind, created_at, reason, lead_id, ...by }: Suppression): string {
  const ways = {
    link: 'link in an email',
    staff: byActor(by),
    stop: `STOP ${byActor(by)}`,
    clinic: 'reported by a provider',
  }
  const what = kind === 'email' ? 'Email address' : 'Phone number'
  return `${what}, ${formatDay(created_at)}, ${ways[reason]}${lead_id === null ? '' : `, lead no. ${lead_id}`}`
}

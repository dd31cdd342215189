import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { liftSuppression, StopByHand, type Suppression, stopByHand } from '../../../core/contract/opt-outs.ts'
import { byActor } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { ClinicState, LiftButton, useOptOuts } from './opt-outs.tsx'

/** Records the e-mail or phone number of a person who said STOP, and lists recent records. */
export function StopByHandDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Enter a STOP"
      className="w-xl max-w-full p-6"
      onClose={onClose}
      corner={
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <StopForm />
      <Overdue />
      <Recent />
    </Dialog>
  )
}

function StopForm() {
  const { form, submit, isSubmitting } = useStopForm()
  const { errors } = form.formState
  return (
    <form onSubmit={submit} noValidate className="mt-2">
      <p className="mb-4">
        For a person who replied STOP, or said so on the phone. All contact at this address or number stops, and the
        clinics and the CRM that know of a request are told.
      </p>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="off"
          error={errors.phone?.message}
          {...form.register('phone')}
        />
      </div>
      <Button type="submit" variant="danger" busy={isSubmitting}>
        Stop contact
      </Button>
    </form>
  )
}

function useStopForm() {
  const form = useForm({ resolver: standardSchemaResolver(StopByHand), defaultValues: { email: '', phone: '' } })
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: (body: StopByHand) => call(stopByHand, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['leads'] }),
  })
  const submit = form.handleSubmit((contact) =>
    stop.mutate(contact, {
      onSuccess({ leads }) {
        form.reset()
        const found = leads > 0 ? `${countOf(leads, 'lead')} found. Whoever knows of it is told.` : 'No lead found.'
        toast({ title: 'Success', description: `This person is not contacted any more. ${found}` })
      },
      onError(error) {
        const { fields = {}, sentence } = error instanceof HttpError ? error : {}
        const message = fields.phone ?? fields.email ?? sentence ?? 'The server is not responding. Please try again.'
        form.setError(fields.phone ? 'phone' : 'email', { message })
      },
    }),
  )
  return { form, submit, isSubmitting: stop.isPending }
}

/** Lists the overdue confirmations, also of deleted leads. */
function Overdue() {
  const overdue = useOptOuts().data?.overdue ?? []
  if (overdue.length === 0) return null
  return (
    <section className="mt-6 grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold text-ink">Clinics that have not confirmed</h3>
      {overdue.map((clinic) => (
        <div key={clinic.id} className="grid gap-1 text-sm">
          <p className="text-quiet">Lead no. {clinic.lead_id}</p>
          <ClinicState clinic={clinic} />
        </div>
      ))}
    </section>
  )
}

/** Lists recent suppressions. Addresses and numbers are stored as hashes only, so they cannot be shown. */
function Recent() {
  const can = useAccess()
  const recent = useOptOuts().data?.recent ?? []
  if (recent.length === 0) return null
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="font-semibold text-ink">The latest</h3>
      <p className="text-sm text-quiet">Addresses and numbers are not shown, because we keep only codes of them.</p>
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
            {can('lead.manage') && !row.lifted_at && <LiftButton to={liftSuppression} id={row.id} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns, for example, `E-mail address, Nov 20, 2026, link in an e-mail, lead no. 12`. */
function rowSentence({ kind, created_at, reason, lead_id, ...by }: Suppression): string {
  const ways = {
    link: 'link in an e-mail',
    staff: byActor(by),
    stop: `STOP ${byActor(by)}`,
    clinic: 'told to a clinic',
  }
  return [
    kind === 'email' ? 'E-mail address' : 'Phone number',
    formatDay(created_at),
    ways[reason],
    ...(lead_id === null ? [] : [`lead no. ${lead_id}`]),
  ].join(', ')
}

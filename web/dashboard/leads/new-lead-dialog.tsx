import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { CONSENT } from '../../../core/contract/consent.ts'
import { enterLead, LeadByPhone } from '../../../core/contract/lead-edit.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { LeadFields } from './lead-fields.tsx'
import { useLeadAction } from './use-lead-action.ts'

const { version, wording, sharing } = CONSENT.phone

type Props = { onEntered: (id: number) => void; onClose: () => void }

/** Enters a lead that phoned. The consent is read aloud, and its record says by whom. */
export function NewLeadDialog({ onEntered, onClose }: Props) {
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
        <LeadFields register={form.register as never} errors={errors} />
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
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={enter.isPending}>
            Enter lead
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

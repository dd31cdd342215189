import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router-dom'
import { deleteTestLead, type Setup, sendTestLead } from '../../../core/conditions/contract/integrations.ts'
import { act, call } from '../../lib/call.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMe } from '../access.tsx'
import { LeadTimeline } from '../leads/lead-timeline.tsx'
import { leadQuery } from '../leads/use-leads-page.ts'
import { useProviders } from '../providers/list-providers.tsx'

type Props = { step: Setup['test_lead']; crmKind: string }

/** Sends a lead on its real way, and shows what happens to it. Every email about it goes to the address of the staff. */
export function TestLeadStep({ step: { lead_id, zip_code }, crmKind }: Props) {
  return (
    <>
      <p className="text-quiet">
        Sends a lead named Test Lead through the normal flow. All its emails go to you and are marked as a test. It is
        excluded from all figures
        {crmKind === 'none' ? '.' : ', and the CRM gets it with a made-up address.'}
      </p>
      {lead_id === null ? <TestLeadForm zip={zip_code ?? ''} /> : <Way id={lead_id} />}
    </>
  )
}

function TestLeadForm({ zip }: { zip: string }) {
  const send = useAction({
    act: (body: { email: string; zip_code: string }) => call(sendTestLead, { body }),
    failed: 'Failed to send the test lead',
    changes: 'setup',
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    send.mutate({ email: String(form.get('email')).trim(), zip_code: String(form.get('zip')).trim() })
  }
  return (
    <form onSubmit={submit} className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1 sm:-mb-2">
      <OwnEmailField label="Your email" />
      <TextField
        label="Zip code"
        name="zip"
        inputMode="numeric"
        autoComplete="off"
        required
        pattern="\d{5}"
        title="Five digits"
        defaultValue={zip}
        className="w-32"
      />
      <Button type="submit" className="sm:mt-6 staff:lg:min-h-11" busy={send.isPending}>
        Send test lead
      </Button>
    </form>
  )
}

function Way({ id }: { id: number }) {
  const providers = useProviders().data
  return (
    <>
      <div className="mt-3">
        <Loaded of={useQuery(leadQuery(id))} fallback="Failed to load the test lead" className="h-40 w-full">
          {(lead) => (
            <>
              {lead.provider_id === null && (
                <p className="mb-3 text-wait">
                  {lead.held_reason
                    ? 'It is held, so nothing is sent. Delete it, and use another address.'
                    : 'It has no provider yet. If none is found, delete it and send one with the zip code of a provider.'}
                </p>
              )}
              <LeadTimeline lead={lead} provider={providers?.find((each) => each.id === lead.provider_id)?.name} />
            </>
          )}
        </Loaded>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to={`?tab=leads&lead=${id}`} className={buttonClass({ variant: 'outline', size: 'small' })}>
          Open the lead
        </Link>
        <ActionButton
          variant="quietDanger"
          act={() => act(deleteTestLead)}
          done="The test lead is deleted"
          failed="Failed to delete the test lead"
          changes="setup"
        >
          Delete the test lead
        </ActionButton>
      </div>
    </>
  )
}

/** Asks for an email address, with that of the signed-in person in it. */
export function OwnEmailField({ label }: { label: string }) {
  return (
    <TextField
      label={label}
      name="email"
      type="email"
      autoComplete="email"
      required
      defaultValue={useMe()?.email ?? ''}
      className="w-72 max-w-full"
    />
  )
}

import { useState } from 'react'
import {
  type ApplicationDetails,
  type Certification,
  certifyApplication,
  retryDraft,
} from '../../../core/contract/application-details.ts'
import { act } from '../../lib/call.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { offer } from '../commands.ts'
import { ProviderLink } from '../provider-link.tsx'
import { useSettings } from '../settings.ts'
import { useApplicationAction } from './applications.ts'

type Props = { details: ApplicationDetails; canAct: boolean }

/** Shows the clinic that an approved application became, or makes it. */
export function Certify({ details, canAct }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { provider, held_reason } = details
  if (provider) {
    return (
      <>
        <p>
          It is <ProviderLink id={provider.id}>a clinic</ProviderLink> now, which is {provider.status}.
        </p>
        {provider.draft && <Draft applicationId={details.id} draft={provider.draft} canAct={canAct} />}
      </>
    )
  }
  if (!canAct || held_reason !== null) return <p className="text-quiet">It is not a clinic yet.</p>
  return (
    <>
      <Button
        ref={offer({ label: 'Certify...' })}
        size="small"
        className="justify-self-start rounded-lg! max-lg:min-h-11"
        onClick={() => setAsking(true)}
      >
        Certify...
      </Button>
      {isAsking && <CertifyDialog details={details} onClose={() => setAsking(false)} />}
    </>
  )
}

type DraftProps = {
  applicationId: number
  draft: NonNullable<NonNullable<ApplicationDetails['provider']>['draft']>
  canAct: boolean
}

/** Shows the draft of the post in WordPress. One that failed can be made again. */
function Draft({ applicationId, draft: { post_id, state, error }, canAct }: DraftProps) {
  const { data: settings } = useSettings()
  const retry = useApplicationAction({
    act: () => act(retryDraft, { params: { id: applicationId } }),
    done: 'The draft is made again',
    failed: 'Failed to retry the draft',
  })
  if (post_id !== null) {
    return (
      <p>
        Its post in WordPress is{' '}
        {settings?.wordpress_url ? (
          <a
            href={`${settings.wordpress_url}/wp-admin/post.php?post=${post_id}&action=edit`}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-block min-h-6 underline decoration-edge underline-offset-3 hover:text-secondary"
          >
            a draft
          </a>
        ) : (
          'a draft'
        )}
        . Once it is published, syncs keep the clinic up to date.
      </p>
    )
  }
  if (state !== 'failed' && state !== 'cancelled') {
    return (
      <p className="text-quiet">
        Its draft in WordPress is being made.{error && ` ${error} It is tried again by itself.`}
      </p>
    )
  }
  return (
    <div className="grid justify-items-start gap-2">
      <p className="wrap-anywhere text-bad">The draft in WordPress was not made. {error}</p>
      {canAct && (
        <Button
          ref={offer({ label: 'Retry the draft', keywords: 'wordpress' })}
          variant="outline"
          size="small"
          className="max-lg:min-h-11"
          busy={retry.isPending}
          onClick={() => retry.mutate(undefined)}
        >
          Retry the draft
        </Button>
      )}
    </div>
  )
}

function CertifyDialog({ details, onClose }: { details: ApplicationDetails; onClose: () => void }) {
  const { id, practice_name, demand } = details
  const { data: settings } = useSettings()
  const [isActive, setActive] = useState(true)
  const [matches, setMatches] = useState(true)
  const certification = useApplicationAction({
    act: (body: Certification) => act(certifyApplication, { params: { id }, body }),
    done: () => {
      toast({ title: 'Success', description: `${practice_name} is certified` })
      onClose()
    },
    failed: 'Failed to certify the application',
  })
  const people = demand.people ?? 0

  return (
    <ConfirmDialog
      title={`Certify ${practice_name}?`}
      confirmLabel="Certify"
      variant="primary"
      busy={certification.isPending}
      onConfirm={() => certification.mutate({ active: isActive, match_waiting: isActive && matches })}
      onClose={onClose}
    >
      <div className="grid gap-3 text-sm">
        {settings?.wordpress_drafts ? (
          <p>
            The clinic is made in Leadwell with the data of the application, and its post in WordPress as a draft. Once
            the post is published, syncs keep the clinic up to date.
          </p>
        ) : (
          <p>
            The clinic is made in Leadwell with the data of the application. No sync with WordPress changes or
            deactivates it. If it gets a post in WordPress later, that becomes another clinic.
          </p>
        )}
        <Choice label="Active: it gets leads at once" isChecked={isActive} onChange={setActive} />
        {isActive && people > 0 && (
          <Choice
            label={`Match waiting leads again: ${formatCount(people)} ${people === 1 ? 'person waits' : 'people wait'} within ${formatCount(demand.radius_miles)} miles`}
            isChecked={matches}
            onChange={setMatches}
          />
        )}
      </div>
    </ConfirmDialog>
  )
}

type ChoiceProps = { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void }

function Choice({ label, isChecked, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-ink max-lg:min-h-11">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-secondary"
      />
      {label}
    </label>
  )
}

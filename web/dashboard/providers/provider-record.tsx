import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { type ProviderRecord as Data, sendTestEmail } from '../../../core/providers/contract/provider-record.ts'
import { decideNewEmail } from '../../../core/providers/contract/providers.ts'
import { actorName } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { formatCount } from '../../lib/numbers.ts'
import { wordpressEditUrl } from '../../lib/texts.ts'
import { PhoneLink } from '../../shared/contact-links.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DialogButton } from '../../ui/confirm.tsx'
import { Badge, SpokenProgressBar } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess, useSettings } from '../access.tsx'
import { useActWords } from '../acts.ts'
import { resultWords, runBulk } from '../bulk.ts'
import { callAndWait, doneOr } from '../job-labels.tsx'
import { useKeys } from '../keys.ts'
import { PassOnDialog, usePassOnWaiting } from '../pass-on-dialog.tsx'
import { ActivateButton, obstacleWords } from '../provider-link.tsx'
import { SyncedClinic } from '../sync/run-changes.tsx'
import { useUndo } from '../undo.tsx'
import { useRecord } from './list-providers.tsx'
import { PauseButton } from './pause.tsx'
import { isUnpublished, isWaiting } from './provider-row.tsx'
import { RecordFigures, RecordHealth, RecordMonths, RecordPeople } from './record-cards.tsx'
import { RulesDialog } from './rules-dialog.tsx'

const LINK = 'inline-flex min-h-6 items-center font-semibold text-secondary underline-offset-4 hover:underline'

export function ProviderRecord({ id, listSearch }: { id: number; listSearch: string }) {
  const query = useRecord(id)
  const isUnknown = query.error instanceof HttpError && query.error.status === 404
  const navigate = useNavigate()
  useKeys({ escape: () => void navigate({ search: listSearch }) })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p>
        <Link to={{ search: listSearch }} className={LINK}>
          <span aria-hidden="true">←&nbsp;</span>All providers
        </Link>
      </p>
      {isUnknown ? (
        <p role="alert" className="rounded-2xl border border-line bg-background px-6 py-14 text-center text-quiet">
          There is no such provider.
        </p>
      ) : (
        <Loaded of={query} fallback="Failed to load the provider" className="h-96 w-full">
          {(record) => (
            <>
              <Head record={record} />
              <RecordHealth {...record} />
              <RecordFigures figures={record.figures} />
              <RecordMonths months={record.months} />
              <RecordChanges changes={record.changes} />
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}

function Head({ record }: { record: Data }) {
  const can = useAccess()
  const { provider, place, address } = record
  const { name, practiceName, phone, status, zipCode, obstacle } = provider
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section
      aria-label={practiceName || name}
      className="grid gap-4 rounded-2xl border border-line bg-background p-4 lg:p-6"
    >
      <div className="grid gap-1 wrap-anywhere">
        <h2 ref={title} tabIndex={-1} className="scroll-mt-6 font-display text-2xl leading-tight font-medium text-ink">
          {practiceName || name}
        </h2>
        <p className="text-quiet">
          {[practiceName && name, place ? `${place.city}, ${place.state} ${zipCode}` : zipCode]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="mt-1 flex flex-wrap gap-2">
          <Badge tone={status === 't' ? 'good' : 'bad'}>{status === 't' ? 'Active' : 'Inactive'}</Badge>
          {obstacle && <Badge tone="wait">{obstacleWords(obstacle)}</Badge>}
          {isWaiting(provider) && <Badge tone="wait">Waits for activation</Badge>}
          {isUnpublished(provider) && <Badge>Unpublished: only staff see it</Badge>}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem] wrap-anywhere">
        {phone && <PhoneLink phone={phone} className={LINK} />}
        <a href={`mailto:${encodeURIComponent(address)}`} className={LINK}>
          {address}
        </a>
        <Pages provider={provider} />
      </p>
      {isWaiting(provider) && (
        <p className="flex flex-wrap items-center gap-3">
          It gets no leads, and visitors do not see it, until the provider signs in with the link in our email or a
          manager activates it.
          {can('provider.manage') && <ActivateButton id={provider.id} name={practiceName || name} />}
        </p>
      )}
      <NewEmail provider={provider} />
      <RecordPeople record={record} />
      <Actions record={record} />
    </section>
  )
}

const DECISIONS = { confirm: 'Confirm new address', keep: 'Keep old address' } as const

/** Shows the address that WordPress has for a clinic, and that is not in use yet, with the decision about it. */
function NewEmail({ provider: { id, email, requestEmail, new_email: change } }: Pick<Data, 'provider'>) {
  const can = useAccess()
  if (!change) return null
  return (
    <div className="grid gap-2 wrap-anywhere">
      <p>
        {change.is_declined ? 'The old address is kept. WordPress still says ' : 'New address '}
        <strong className="font-semibold text-ink">{change.email}</strong>
        {!change.is_declined && ` waits for confirmation since ${formatMoment(change.since)}`}. Leads go to{' '}
        {requestEmail}.
      </p>
      {!change.is_declined && (
        <p className={`text-sm ${change.asked === 'failed' ? 'text-bad' : 'text-quiet'}`}>
          {change.asked === 'failed'
            ? `The email to ${email} failed: ${change.error} Call the provider, then decide here.`
            : change.asked === 'sent'
              ? `${email} was asked by email.`
              : `The email to ${email} is on its way.`}
        </p>
      )}
      {can('provider.manage') && (
        <div className="flex flex-wrap gap-3">
          {(['confirm', 'keep'] as const)
            .filter((decision) => decision === 'confirm' || !change.is_declined)
            .map((decision) => (
              <ActionButton
                key={decision}
                act={() =>
                  call(decideNewEmail, { params: { providerId: id }, body: { email: change.email, decision } })
                }
                done="Email address updated"
                failed="Failed to change the address"
                changes="providers"
              >
                {DECISIONS[decision]}
              </ActionButton>
            ))}
        </div>
      )}
    </div>
  )
}

function Pages({ provider: { name, wordpress_id, domain, status } }: Pick<Data, 'provider'>) {
  const { data: settings } = useSettings()
  const wordpress =
    settings?.wordpress_url && wordpress_id !== null && wordpressEditUrl(settings.wordpress_url, wordpress_id)
  const external = { target: '_blank', rel: 'noopener noreferrer', className: LINK }
  return (
    <>
      {wordpress && (
        <a href={wordpress} {...external}>
          Edit in WordPress<span className="sr-only">: {name}</span>
        </a>
      )}
      {domain && status === 't' && (
        <a href={`https://${domain}/`} {...external}>
          Microsite<span className="sr-only"> of {name}</span>
        </a>
      )}
    </>
  )
}

function Actions({ record }: { record: Data }) {
  const can = useAccess()
  const { provider, address, failed_leads } = record
  const client = useQueryClient()
  const passOn = usePassOnWaiting(provider.id, { changes: 'providers', onUndoable: useUndo().offer })
  const [isPlanning, setPlanning] = useState(false)
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap gap-3">
        {can('provider.manage') && <PauseButton provider={provider} />}
        <DialogButton dialog={(close) => <RulesDialog provider={provider} onClose={close} />}>Rules...</DialogButton>
        {can('provider.manage') && (
          <ActionButton
            act={() => callAndWait(sendTestEmail, { providerId: provider.id })}
            done={doneOr(`The test email to ${address} was delivered`)}
            failed="The test email was not delivered"
            changes="providers"
          >
            Send test email
          </ActionButton>
        )}
        {provider.leadCount > 0 && (
          <Link to={`?tab=leads&provider_id=${provider.id}`} className={LINK}>
            All requests ({formatCount(provider.leadCount)})
          </Link>
        )}
        {can('lead.manage') && failed_leads.length > 0 && (
          <ActionButton
            act={() => runBulk(client, { action: 'retry-email', ids: failed_leads, to_clinic: provider.id })}
            done={(report) => {
              const variant = report.failed > 0 ? ('destructive' as const) : undefined
              toast({ variant, title: 'Resent', description: resultWords(report) })
            }}
            failed="Failed to resend"
            changes="providers"
          >
            Resend all that failed ({formatCount(failed_leads.length)})
          </ActionButton>
        )}
        {can('provider.manage') && provider.leadCount > 0 && (
          <SmallButton busy={passOn.isRunning} onClick={() => setPlanning(true)}>
            Pass on waiting requests...
          </SmallButton>
        )}
      </div>
      {passOn.isRunning && passOn.progress && (
        <div className="grid max-w-sm gap-1 text-sm text-quiet">
          <p>
            Passing on: {formatCount(passOn.progress.done)} of {formatCount(passOn.progress.total)}
          </p>
          <SpokenProgressBar label="Passing on" value={passOn.progress.done} max={passOn.progress.total} />
        </div>
      )}
      {isPlanning && (
        <PassOnDialog providerId={provider.id} onConfirm={passOn.start} onClose={() => setPlanning(false)} />
      )}
    </div>
  )
}

function RecordChanges({ changes }: Pick<Data, 'changes'>) {
  const actWords = useActWords()
  return (
    <Card title="Changes">
      {changes.length === 0 && <p className="text-quiet">Nothing has been changed in the last 90 days.</p>}
      <ul className="divide-y divide-line">
        {changes.map((change) => (
          <li
            key={'act' in change ? `act ${change.act.id}` : `sync ${change.sync.id}`}
            className="grid gap-1 py-3 text-[0.9375rem] wrap-anywhere"
          >
            <p className="text-sm text-quiet">{formatMoment(change.at)}</p>
            {'act' in change ? (
              <p>
                <span className="font-semibold text-ink">{actorName(change.act)}</span> · {actWords(change.act)}
              </p>
            ) : (
              <SyncedClinic change={change.sync.change} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import {
  type Application,
  type ApplicationDetails,
  ApplicationStatus,
  type ApplicationUpdate,
  addApplicationNote,
  deleteApplication,
  deleteApplicationNote,
  getApplication,
  MAX_APPLICATION_NOTE,
  STATUS_LABELS,
  updateApplication,
} from '../../../core/applications/contract/applications.ts'
import { byActor } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { ConfirmAction, Facts } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess, useStaff } from '../access.tsx'
import { Reach } from '../contact.tsx'
import { useKeys } from '../keys.ts'
import { jobEntry, Timeline } from '../leads/lead-timeline.tsx'
import { Notes } from '../notes.tsx'
import { ApplicationEmails, Certify, ReviewClockBadge } from './application-acts.tsx'

export const PANEL_ID = 'application-panel'

type Props = {
  id: number
  /** The row of the list, shown until the details have loaded. */
  known: Application | undefined
  onClose: () => void
}

export function ApplicationPanel({ id, known, onClose }: Props) {
  const can = useAccess()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  // The news of its deletion may come before the answer, and must not read it again.
  const [isGone, setGone] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['applications', 'details', id],
    queryFn: () => call(getApplication, { params: { id } }),
    // The cached details are shown at once and read again whenever an application is opened.
    staleTime: 0,
    enabled: !isGone,
  })
  const application = data ?? known

  useEffect(() => title.current?.focus(), [])
  useKeys({ escape: onClose })

  return (
    <aside
      id={PANEL_ID}
      aria-labelledby={titleId}
      className="min-w-0 rounded-lg border border-line bg-background p-4 text-sm xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:w-110 xl:shrink-0 xl:overflow-y-auto"
    >
      <div className="flex items-start justify-between gap-3">
        <h2
          ref={title}
          id={titleId}
          tabIndex={-1}
          className="scroll-mt-6 text-lg leading-6 font-semibold wrap-anywhere text-ink"
        >
          {application?.practice_name ?? `Application #${id}`}
        </h2>
        <SmallButton variant="ghost" onClick={onClose} className="-mt-1 -mr-2 max-lg:min-h-11">
          Close
        </SmallButton>
      </div>
      <LoadError fallback="Failed to load the application" {...{ error, isFetching }} onRetry={refetch} />
      {!application && !error && <Skeleton className="mt-4 h-60 w-full" />}
      {application && !(error && !data) && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Head application={application} place={data?.place} />
          {data ? <Details details={data} /> : <Skeleton className="h-40 w-full" />}
          <Section title="Emails">
            <ApplicationEmails application={application} />
            {data ? (
              <Timeline entries={data.ledger.jobs.map((job) => jobEntry(job, data.ledger.acts, 'application'))} />
            ) : (
              <Skeleton className="h-24 w-full" />
            )}
          </Section>
          {can('application.manage') && (
            <div className="border-t border-line pt-3">
              <ConfirmAction
                label="Delete"
                danger
                title="Delete this application?"
                confirmLabel="Delete application"
                act={async () => {
                  setGone(true)
                  await act(deleteApplication, { params: { id } }).catch((error) => {
                    setGone(false)
                    throw error
                  })
                }}
                done={() => {
                  onClose()
                  return 'Application deleted successfully'
                }}
                failed="Failed to delete application"
                changes="applications"
              >
                The application of {application.practice_name}, its notes and its deliveries will be deleted. This
                cannot be undone. The consent record is kept, without name, email and phone.
              </ConfirmAction>
            </div>
          )}
        </div>
      )}
    </aside>
  )
}

const LINK =
  'inline-flex min-h-6 max-w-full items-center wrap-anywhere text-ink hover:text-secondary hover:underline max-lg:min-h-11'

type HeadProps = { application: Application; place: ApplicationDetails['place'] | undefined }

function Head({ application, place }: HeadProps) {
  const can = useAccess()
  const accounts = useStaff().data?.staff
  const { id, name, practice_name, email, phone, website, zip_code, created_at, status, owner_id } = application
  const change = (body: ApplicationUpdate) => call(updateApplication, { params: { id }, body })
  return (
    <>
      <div>
        <p className="text-ink">{name}</p>
        <p className="text-quiet">
          {place ? `${[place.city, place.state].filter(Boolean).join(', ')} ${zip_code}` : `Zip code ${zip_code}`}
        </p>
        <div className="mt-1 grid">
          <Reach email={email} phone={phone} whose="the" />
          {website && (
            <a href={website} target="_blank" rel="noopener noreferrer" className={`${LINK} justify-self-start`}>
              {website.replace(/^https?:\/\/(www\.)?/, '')}
            </a>
          )}
        </div>
      </div>
      <Facts
        className="items-center border-t border-line pt-3"
        of={[
          ['Received', formatMinute(created_at)],
          [
            'Review',
            application.promised_at ? (
              <ReviewClockBadge key="review" application={application} />
            ) : (
              'No review deadline while it is held.'
            ),
          ],
          [
            'Status',
            can('application.manage') ? (
              <SavedSelect
                key="status"
                label={`Status of ${practice_name}`}
                words={ApplicationStatus.options.map((each) => [each, STATUS_LABELS[each]] as const)}
                value={status}
                act={(next) => change({ status: next })}
                done="Application status updated successfully"
                failed="Failed to update application status"
                changes="applications"
              />
            ) : (
              STATUS_LABELS[status]
            ),
          ],
          [
            'Owner',
            can('application.manage') && accounts?.length ? (
              <SavedSelect
                key="owner"
                label={`Owner of the application of ${practice_name}`}
                words={[
                  ['', 'Nobody'],
                  ...accounts
                    .filter((account) => account.disabled_at === null || account.id === owner_id)
                    .map((account) => [String(account.id), account.name] as const),
                ]}
                value={String(owner_id ?? '')}
                act={(next) => change({ owner_id: Number(next) || null })}
                done="Owner changed"
                failed="Failed to change the owner"
                changes="applications"
              />
            ) : (
              (application.owner_name ?? 'Nobody')
            ),
          ],
        ]}
      />
    </>
  )
}

function Details({ details }: { details: ApplicationDetails }) {
  const can = useAccess()
  const { id, message, status } = details
  const add = useAction({
    act: (text: string) => act(addApplicationNote, { params: { id }, body: { text } }),
    failed: 'Failed to add the note',
    changes: 'applications',
  })
  const remove = useAction({
    act: (noteId: number) => act(deleteApplicationNote, { params: { id, noteId } }),
    done: 'Note deleted',
    failed: 'Failed to delete the note',
    changes: 'applications',
  })
  const isApproved = status === 'approved' || status === 'training' || status === 'certified'
  return (
    <>
      <Section title="Stages">
        <ol className="grid gap-1.5">
          {details.stages.map(({ at, status: stage, actor, actor_name }) => (
            <li key={at + stage}>
              <span className="font-semibold text-ink">{STATUS_LABELS[stage]}</span>{' '}
              <span className="text-quiet">
                {formatMinute(at)}
                {actor !== null && ` ${byActor({ actor, actor_name })}`}
              </span>
            </li>
          ))}
        </ol>
      </Section>
      {isApproved && (
        <Section title="Certification">
          <Certify details={details} />
        </Section>
      )}
      <Section title="Message">
        {message ? (
          <p className="whitespace-pre-wrap wrap-anywhere text-ink">{message}</p>
        ) : (
          <p className="text-quiet">No message.</p>
        )}
      </Section>
      <Section title="Notes">
        <Notes
          {...{ add, remove }}
          of={`application ${details.id}`}
          notes={details.notes}
          maxLength={MAX_APPLICATION_NOTE}
          canWrite={can('application.note')}
        />
      </Section>
    </>
  )
}

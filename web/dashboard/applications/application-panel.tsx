import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import {
  type Application,
  type ApplicationDetails,
  ApplicationStatus,
  addApplicationNote,
  deleteApplicationNote,
  getApplication,
  MAX_APPLICATION_NOTE,
  STATUS_LABELS,
} from '../../../core/applications/contract/applications.ts'
import { isMasked } from '../../../core/contract/texts.ts'
import { act, call } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { CopyButton, EmailAddress, PhoneNumber } from '../contact.tsx'
import { useKeys } from '../keys.ts'
import { jobEntry, Timeline } from '../leads/lead-timeline.tsx'
import { Notes } from '../notes.tsx'
import { useStaff } from '../staff/staff-actions.tsx'
import {
  ApplicationEmails,
  ApplicationSelect,
  Certify,
  DeleteApplicationButton,
  ReviewClockBadge,
  Stages,
} from './application-acts.tsx'

/** The id of the panel beside the list, which the buttons of the rows control. */
export const PANEL_ID = 'application-panel'

type Props = {
  id: number
  /** The row of the list, shown until the details have loaded. */
  known: Application | undefined
  onClose: () => void
}

/** Shows an application with all its details beside the list, or in its place on a narrow screen. */
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
        <Button variant="ghost" size="small" onClick={onClose} className="-mt-1 -mr-2 max-lg:min-h-11">
          Close
        </Button>
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
              <DeleteApplicationButton application={application} onGone={setGone} onDeleted={onClose} />
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

/** Shows who applies, where and how to reach them, the stage, the promised review and the owner. */
function Head({ application, place }: HeadProps) {
  const can = useAccess()
  const accounts = useStaff({ enabled: can('staff.manage') }).data?.staff
  const { name, email, phone, website, zip_code, created_at, status } = application
  return (
    <>
      <div>
        <p className="text-ink">{name}</p>
        <p className="text-quiet">
          {place ? `${[place.city, place.state].filter(Boolean).join(', ')} ${zip_code}` : `Zip code ${zip_code}`}
        </p>
        <div className="mt-1 grid">
          <Contact text={phone} noun="phone number">
            <PhoneNumber phone={phone} className={LINK} />
          </Contact>
          <Contact text={email} noun="email address">
            <EmailAddress email={email} className={LINK} />
          </Contact>
          {website && (
            <a href={website} target="_blank" rel="noopener noreferrer" className={`${LINK} justify-self-start`}>
              {website.replace(/^https?:\/\/(www\.)?/, '')}
            </a>
          )}
        </div>
      </div>
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2 border-t border-line pt-3">
        <dt className="text-quiet">Received</dt>
        <dd>{formatMinute(created_at)}</dd>
        <dt className="text-quiet">Review</dt>
        <dd>
          {application.promised_at ? (
            <ReviewClockBadge application={application} />
          ) : (
            'No review deadline while it is held.'
          )}
        </dd>
        <dt className="text-quiet">Status</dt>
        <dd>
          {can('application.manage') ? (
            <ApplicationSelect
              {...{ application, field: 'status', label: 'Status of' }}
              options={ApplicationStatus.options.map((value) => ({ value, label: STATUS_LABELS[value] }))}
              done="Application status updated successfully"
              failed="Failed to update application status"
            />
          ) : (
            STATUS_LABELS[status]
          )}
        </dd>
        <dt className="text-quiet">Owner</dt>
        <dd>
          {can('application.manage') && accounts?.length ? (
            <ApplicationSelect
              {...{ application, field: 'owner_id', label: 'Owner of the application of' }}
              options={[
                { value: '', label: 'Nobody' },
                ...accounts
                  .filter(({ id, disabled_at }) => disabled_at === null || id === application.owner_id)
                  .map((account) => ({ value: String(account.id), label: account.name })),
              ]}
              done="Owner changed"
              failed="Failed to change the owner"
            />
          ) : (
            (application.owner_name ?? 'Nobody')
          )}
        </dd>
      </dl>
    </>
  )
}

/** Shows a phone number or an address with a button that copies it, unless it is masked. */
function Contact({ text, noun, children }: { text: string; noun: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-x-3">
      {children}
      {!isMasked(text) && <CopyButton text={text} what={`the ${noun}`} />}
    </div>
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
        <Stages stages={details.stages} />
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3">
      <h3 className="font-semibold text-ink">{title}</h3>
      {children}
    </section>
  )
}

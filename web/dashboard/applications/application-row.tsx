import { useId, useState } from 'react'
import type { Application } from '../../../core/contract/applications.ts'
import { formatDay } from '../../lib/dates.ts'
import { EmailAddress, PhoneNumber } from '../../ui/contact.tsx'
import { DisclosureButton } from '../../ui/disclosure-button.tsx'
import { Cell, DetailsRow, Row } from '../../ui/table.tsx'
import { ApplicationDetails } from './application-details.tsx'
import { ApplicationEmails } from './application-emails.tsx'
import { ApplicationStatusSelect } from './application-status-select.tsx'
import { DeleteApplicationButton } from './delete-application-button.tsx'
import { STATUS_LABELS } from './status-labels.ts'

export const COLUMNS = ['Practice', 'Contact', 'Zip Code', 'Date', 'Status', 'E-mails', 'Actions']

const LINK = 'block w-fit py-0.5 text-quiet hover:text-secondary hover:underline'

/** A row of the table; a card where the screen is narrow. */
export function ApplicationRow({ application, canAct }: { application: Application; canAct: boolean }) {
  const detailsId = useId()
  const [isOpen, setOpen] = useState(false)
  const { zip_code, created_at } = application

  return (
    <>
      <Row>
        <Cell label="Practice" className="col-span-2">
          <Practice application={application} />
        </Cell>
        <Cell label="Contact" className="col-span-2">
          <Contact application={application} />
        </Cell>
        <Cell label="Zip Code">{zip_code}</Cell>
        <Cell label="Date" className="whitespace-nowrap">
          {formatDay(created_at)}
        </Cell>
        <Cell label="Status" className="col-span-2">
          {canAct ? <ApplicationStatusSelect application={application} /> : STATUS_LABELS[application.status]}
        </Cell>
        <Cell label="E-mails" className="col-span-2">
          <ApplicationEmails application={application} canAct={canAct} />
        </Cell>
        <Cell label="Actions" className="col-span-2">
          <div className="-ml-3 flex flex-wrap gap-1 lg:flex-col lg:items-start">
            <DisclosureButton isOpen={isOpen} controls={detailsId} onToggle={() => setOpen(!isOpen)}>
              Details
            </DisclosureButton>
            {canAct && <DeleteApplicationButton application={application} />}
          </div>
        </Cell>
      </Row>
      {isOpen && (
        <DetailsRow id={detailsId} columns={COLUMNS.length}>
          <ApplicationDetails application={application} />
        </DetailsRow>
      )}
    </>
  )
}

function Practice({ application: { practice_name, name, website } }: { application: Application }) {
  return (
    <div className="max-w-64 wrap-anywhere lg:min-w-40">
      <p className="font-semibold text-ink">{practice_name}</p>
      <p>{name}</p>
      {website && (
        <a href={website} target="_blank" rel="noopener noreferrer" className={LINK}>
          {website.replace(/^https?:\/\/(www\.)?/, '')}
        </a>
      )}
    </div>
  )
}

function Contact({ application: { email, phone } }: { application: Application }) {
  return (
    <div className="max-w-64 wrap-anywhere lg:min-w-40">
      <EmailAddress email={email} className={LINK} />
      <PhoneNumber phone={phone} className={LINK} />
    </div>
  )
}

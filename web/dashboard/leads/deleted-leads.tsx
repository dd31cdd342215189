import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useQueryState, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { type DeletedLead, listDeletedLeads, purgeLead } from '../../../core/leads/contract/lead-changes.ts'
import { LEADS_PER_PAGE } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { ConfirmAction } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { Cell, LoadedTable, Row } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { parseAsPage, place } from '../address.ts'
import { useUndoLeads } from '../undo.tsx'

/** The parameter of the page; the list of other leads has its own. */
const PAGE = 'deleted-page'

export function useDeletedView() {
  const [{ deleted }, change] = useQueryStates({ deleted: place.deleted, lead: place.lead, [PAGE]: parseAsPage })
  return {
    isShown: deleted,
    // The filters of the other leads stay in the address for the way back.
    show: () => void change({ deleted: true, lead: null }),
    close: () => void change({ deleted: null, [PAGE]: null }),
  }
}

const COLUMNS = ['Contact', 'Zip Code', 'Date', 'Deleted', 'Permanent Deletion']

export function DeletedLeadsPanel({ onClose }: { onClose: () => void }) {
  const can = useAccess()
  const [page, setPage] = useQueryState(PAGE, parseAsPage)
  const asked = { page, limit: LEADS_PER_PAGE }
  const query = useQuery({
    queryKey: ['leads', 'deleted', asked],
    queryFn: () => call(listDeletedLeads, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const restoration = useUndoLeads()
  const restoring = restoration.isPending ? restoration.variables.flatMap(({ ids }) => ids) : []

  return (
    <section aria-label="Deleted leads" className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SmallButton onClick={onClose}>Back to leads</SmallButton>
        <p className="text-quiet">
          Nothing is sent for these leads. You can restore them until they are permanently deleted.
        </p>
      </div>
      <LoadedTable
        of={query}
        fallback="Failed to load deleted leads"
        columns={can('lead.manage') ? [...COLUMNS, 'Actions'] : COLUMNS}
        rows={({ leads }) =>
          leads.map((lead) => (
            <DeletedRow
              key={lead.id}
              lead={lead}
              isRestoring={restoring.includes(lead.id)}
              onRestore={() => restoration.mutate([{ undo: 'restore', ids: [lead.id], description: '' }])}
            />
          ))
        }
        empty="No deleted leads."
        pages={{
          ...{ noun: 'deleted leads', perPage: LEADS_PER_PAGE, page },
          onPage: (next, options) => void setPage(next, options),
        }}
      />
    </section>
  )
}

type RowProps = { lead: DeletedLead; isRestoring: boolean; onRestore: () => void }

function DeletedRow({ lead, isRestoring, onRestore }: RowProps) {
  const can = useAccess()
  const name = `${lead.first_name} ${lead.last_name}`
  const cells: [label: string, content: ReactNode][] = [
    ['Zip Code', lead.zip_code],
    ['Date', formatDay(lead.created_at)],
    ['Deleted', formatMoment(lead.deleted_at)],
    ['Permanent Deletion', formatDay(lead.purged_at)],
  ]
  return (
    <Row>
      <Cell label="Contact" className="col-span-2 wrap-anywhere sm:col-span-4">
        <p className="font-semibold text-ink">{name}</p>
        <p className="text-quiet">{lead.email}</p>
        <p className="text-quiet">{lead.phone}</p>
      </Cell>
      {cells.map(([label, content]) => (
        <Cell key={label} label={label} className="lg:whitespace-nowrap">
          {content}
        </Cell>
      ))}
      {can('lead.manage') && (
        <Cell label="Actions" className="col-span-2 sm:col-span-4">
          <div className="flex flex-wrap gap-2">
            <SmallButton busy={isRestoring} aria-label={`Restore ${name}`} onClick={onRestore}>
              Restore
            </SmallButton>
            <ConfirmAction
              label="Delete permanently"
              ariaLabel={`Delete permanently: ${name}`}
              title={`Delete ${name} permanently?`}
              danger
              act={() => act(purgeLead, { params: { id: lead.id } })}
              done="Lead permanently deleted"
              failed="Failed to permanently delete lead"
              changes="leads"
            >
              <p>This cannot be undone. The consent record is kept, without name, email and phone.</p>
            </ConfirmAction>
          </div>
        </Cell>
      )}
    </Row>
  )
}

import { useState } from 'react'
import { Link } from 'react-router-dom'
import { deleteLead, retryLeadEmail, retryLeadSync } from '../../../core/leads/contract/lead-changes.ts'
import { LEADS_PER_PAGE, type Lead } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import type { BulkReport } from '../../../core/staff/contract/bulk.ts'
import { act } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Skeleton, SpokenProgressBar } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useAccess, usePreferences } from '../access.tsx'
import type { PanelProps } from '../address.ts'
import { resultWords } from '../bulk.ts'
import { BulkOutcome, useRetry, useRetrying } from '../job-labels.tsx'
import { passedOnWords } from '../pass-on-dialog.tsx'
import { ProvidersAlert, useProviders } from '../providers/list-providers.tsx'
import { useUndo } from '../undo.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { DeletedLeadsPanel, useDeletedView } from './deleted-leads.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import { type LeadActs, LeadActsProvider, type LeadDialog } from './lead-dialogs.tsx'
import { LeadPanel } from './lead-panel.tsx'
import { LeadsTable } from './leads-table.tsx'
import { LeadsToolbar } from './leads-toolbar.tsx'
import { useRowKeys, useSelection } from './row-keys.ts'
import { BULK_WORDS, type BulkRun, type BulkWords, useBulk } from './use-bulk.ts'
import { useLeadAction } from './use-lead-action.ts'
import { isFiltered, type OpenLead, useLeadsPage, useOpenLead, useShownRows } from './use-leads-page.ts'

export function LeadsPanel({ isLanding, ...rest }: PanelProps) {
  const providers = useProviders()
  const { error } = useLeadsPage({ isShown: !isLanding })
  const deleted = useDeletedView()
  if (isLanding) return <Skeleton className="h-96 w-full" />
  return (
    <div className="space-y-4">
      {!error && <ProvidersAlert providers={providers} />}
      {deleted.isShown ? (
        <DeletedLeadsPanel onClose={deleted.close} />
      ) : (
        <CurrentLeads {...rest} providers={providers.data} onDeleted={deleted.show} />
      )}
    </div>
  )
}

type Props = Omit<PanelProps, 'isLanding'> & { providers: PublicProvider[] | undefined; onDeleted: () => void }

function CurrentLeads({ providers, onDeleted, onNewLead, onKeys }: Props) {
  const can = useAccess()
  const page = useLeadsPage({ isShown: true })
  const { view, setView, isStale, total, count, error, isFetching, refetch } = page
  const { density } = usePreferences().preferences
  const opening = useOpenLead()
  const selection = useSelection(page.leads, JSON.stringify(view.filter))
  const bulk = useBulk({ onDone: selection.clear })
  const retryingOf = useRetryingOf(bulk)
  const shown = useShownRows(isStale ? undefined : page.leads, JSON.stringify(view), (id) => {
    const { email, crm } = retryingOf(id)
    return email || crm
  })
  const leads = shown ?? page.leads
  const leadOf = (id: number | undefined) => leads?.find((lead) => lead.id === id)
  const { acts, deleting, dialog } = useActs(opening, providers, leads)
  useRowKeys({ page, opening, selection, acts, leadOf })

  const { openId } = opening
  const isOpen = openId !== undefined
  const stepTo = (step: number) => {
    const at = leads?.findIndex(({ id }) => id === openId) ?? -1
    const other = at < 0 ? undefined : leads?.[at + step]
    return other && (() => opening.open(other.id))
  }
  const chosen = selection.isAll || selection.ids.size > 0
  // Of the leads on other pages it is not known.
  const mayHold = selection.isAll || [...selection.ids].some((id) => leadOf(id)?.held_reason !== null)

  return (
    <LeadActsProvider value={acts}>
      <div className="xl:flex xl:items-start xl:gap-4">
        {/* On a phone the list stays as it is, so that it has not moved when the lead is closed. */}
        <div
          className={`@container grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 ${isOpen ? 'max-md:invisible md:max-xl:hidden' : ''}`}
        >
          <LeadsToolbar {...{ view, setView, count, onDeleted, onKeys, onNewLead }} />
          <LoadError error={error} fallback="Failed to load leads" isFetching={isFetching} onRetry={() => refetch()} />
          <BulkState bulk={bulk} searchOf={opening.searchOf} />
          {can('lead.manage') && chosen && total !== undefined && (
            <BulkBar {...{ selection, bulk, view, total, mayHold }} />
          )}
          {(leads || !error) && (
            <div data-density={density} className="overflow-clip rounded-2xl border border-line bg-background">
              <LeadsTable
                {...{ leads, isStale, providers, opening, selection, retryingOf, deleting }}
                sort={view.sort}
                onSort={(sort) => setView({ sort })}
                empty={isFiltered(view) ? <NoMatch onClear={() => setView({ filter: {} })} /> : NO_LEADS}
              />
              {total !== undefined && (
                <Pager
                  {...{ noun: 'leads', perPage: LEADS_PER_PAGE, total, page: view.page }}
                  onPage={(page) => setView({ page })}
                />
              )}
            </div>
          )}
        </div>
        {isOpen && (
          <LeadPanel
            id={openId}
            known={leadOf(openId)}
            retrying={retryingOf(openId)}
            onPrevious={stepTo(-1)}
            onNext={stepTo(1)}
            onClose={opening.close}
          />
        )}
        {dialog}
      </div>
    </LeadActsProvider>
  )
}

function useActs(opening: OpenLead, providers: PublicProvider[] | undefined, leads: Lead[] | undefined) {
  const { offer } = useUndo()
  const [asked, setAsked] = useState<{ dialog: LeadDialog; lead: Lead }>()
  const deletion = useLeadAction({
    act: removeLead,
    failed: 'Failed to delete lead',
    done(_, id) {
      // The row below it gets the focus.
      const at = leads?.findIndex((lead) => lead.id === id) ?? 0
      const next = leads?.[at + 1] ?? leads?.[at - 1]
      document.querySelector<HTMLElement>(`tr[data-lead="${next?.id}"]`)?.focus({ preventScroll: true })
      offer({ undo: 'restore', ids: [id], description: 'Lead deleted successfully' })
    },
  })
  const acts: LeadActs = {
    open: (dialog, lead) => setAsked({ dialog, lead }),
    remove({ id }) {
      // The panel would read a lead that is gone.
      if (opening.openId === id) opening.close()
      deletion.mutate(id)
    },
    passedOn: (lead) => offer({ undo: 'undo-match', ids: [lead.id], description: passedOnWords(lead, providers) }),
    resendEmail: useRetry({ kind: 'email', of: 'leads', to: retryLeadEmail }).mutate,
    retryCrm: useRetry({ kind: 'crm', of: 'leads', to: retryLeadSync }).mutate,
  }
  return {
    acts,
    deleting: deletion.isPending ? deletion.variables : undefined,
    dialog: asked && <asked.dialog.Dialog lead={asked.lead} onClose={() => setAsked(undefined)} />,
  }
}

const NO_LEADS = 'No leads yet. They appear here as soon as someone submits the form.'

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <div className="grid justify-items-center gap-3">
      <p>No leads match.</p>
      <SmallButton onClick={onClear}>Clear all filters</SmallButton>
    </div>
  )
}

function useRetryingOf(bulk: BulkRun): (id: number) => Retrying {
  const emails = useRetrying({ kind: 'email', of: 'leads' })
  const crm = useRetrying({ kind: 'crm', of: 'leads' })
  return (id) => ({
    email: emails.has(id) || bulk.isActing('retry-email', id),
    crm: crm.has(id) || bulk.isActing('retry-sync', id),
  })
}

async function removeLead(id: number): Promise<void> {
  try {
    await act(deleteLead, { params: { id } })
  } catch (error) {
    const isOurAnswer = !(error instanceof HttpError) || error.code !== undefined
    throw isOurAnswer ? error : new Error(`Failed to delete lead: ${error.statusText}`, { cause: error })
  }
}

type BulkStateProps = { bulk: BulkRun; searchOf: (id: number) => string }

function BulkState({ bulk, searchOf }: BulkStateProps) {
  const { isRunning, request, report, progress } = bulk
  if (!request || !(isRunning || report)) return null
  const words = BULK_WORDS[request.action]
  const { done = 0, total = 0, failed = 0 } = progress ?? {}
  return (
    <div className="sticky top-3 z-10 grid gap-2 rounded-2xl border border-line bg-background p-4 shadow-lg">
      {isRunning && (
        <>
          <p>
            {words.doing}: {formatCount(done)} of {formatCount(total)}
            {failed > 0 && <span className="text-bad">, {formatCount(failed)} failed</span>}
          </p>
          <SpokenProgressBar label={words.doing} value={done} max={total} />
        </>
      )}
      {report && (
        <BulkOutcome
          report={report}
          title={reportTitle(words, report)}
          ownerOf={({ name, lead_id }) => (
            <Link
              to={{ search: searchOf(lead_id ?? 0) }}
              preventScrollReset
              className="mr-2 inline-block min-h-6 font-semibold text-secondary hover:underline"
            >
              {name ?? `Lead #${lead_id}`}
            </Link>
          )}
          onClose={bulk.closeReport}
        />
      )}
    </div>
  )
}

function reportTitle({ subject, failed, done }: BulkWords, report: BulkReport): string {
  const leads = countOf(report.succeeded + report.failed + report.waiting, 'lead')
  if (subject === undefined) return `${failed}: ${formatCount(report.failed)} of ${leads}`
  return report.failed + report.waiting === 0
    ? done.replace('%', leads)
    : `${subject} of ${leads}: ${resultWords(report)}`
}

import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  deleteLead,
  type Lead,
  type ListedLead,
  retryLeadEmail,
  retryLeadSync,
} from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import type { BulkReport } from '../../../core/staff/contract/bulk.ts'
import { act } from '../../lib/call.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Skeleton, SpokenProgressBar } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useAccess } from '../access.tsx'
import type { PanelProps } from '../address.ts'
import { resultWords } from '../bulk.ts'
import { OutcomeDetails, useRetry, useRetrying } from '../job-labels.tsx'
import { passedOnWords } from '../pass-on-dialog.tsx'
import { usePreferences } from '../preferences.ts'
import { ProvidersAlert, useProviders } from '../providers/list-providers.tsx'
import { useUndo } from '../undo.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { DeletedLeadsPanel, useDeletedView } from './deleted-leads.tsx'
import type { Retrying } from './lead-deliveries.tsx'
import { dialogOf, LEAD_DIALOG_NAMES, type LeadActs, LeadActsProvider, type LeadDialogName } from './lead-dialogs.tsx'
import { LeadPanel } from './lead-panel.tsx'
import { LeadsTable } from './leads-table.tsx'
import { LeadsToolbar } from './leads-toolbar.tsx'
import { useRowKeys, useSelection } from './row-keys.ts'
import { BULK_WORDS, type BulkRequest, type BulkRun, isRetriedBy, useBulk } from './use-bulk.ts'
import { useLeadAction } from './use-lead-action.ts'
import { isFiltered, useLeadsPage, useOpenLead, useShownRows } from './use-leads-page.ts'

/** Shows the tab of leads. Loaded rows stay visible if a later request fails. */
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

function CurrentLeads(props: Props) {
  const can = useAccess()
  const page = useLeadsPage({ isShown: true })
  const { view, setView, leads, isStale, total, count, error, pages, isFetching, refetch } = page
  const { providers, onDeleted, onNewLead, onKeys } = props
  const { density } = usePreferences().preferences
  const opening = useOpenLead()
  const selection = useSelection(leads, JSON.stringify(view.filter))
  const { offer, undo } = useUndo()
  const bulk = useBulk({ onDone: selection.clear })
  const { retryingOf, isKept } = useUnderWay(bulk)
  const rows = useShownRows({ leads: isStale ? undefined : leads, view: JSON.stringify(view), isKept })
  const deletion = useDeletion(opening, leads, (id) =>
    offer({ undo: 'restore', ids: [id], description: 'Lead deleted successfully' }),
  )
  const [dialog, setDialog] = useState<{ does: LeadDialogName; lead: Lead }>()
  const ask = (does: LeadDialogName) => (lead: Lead) => setDialog({ does, lead })
  const Asked = dialog && dialogOf(dialog.does).Dialog
  const leadOf = (id: number | undefined) => (rows ?? leads)?.find((lead) => lead.id === id)
  const onLead = (act: (lead: ListedLead) => unknown) => (id: number) => {
    const lead = leadOf(id)
    if (lead) act(lead)
  }
  useRowKeys({
    opening,
    selection: can('lead.manage') ? selection : undefined,
    acts: {
      m: can('lead.match') ? onLead(ask('match')) : undefined,
      s: can('lead.work') ? onLead((lead) => lead.held_reason === null && ask('record')(lead)) : undefined,
      '#': can('lead.manage') ? onLead(deletion.start) : undefined,
    },
    onPage: (step) => {
      const page = view.page + step
      if (page >= 1 && page <= pages) setView({ page })
    },
    onUndo: undo,
  })

  const acts = useStableActs({
    ...(Object.fromEntries(LEAD_DIALOG_NAMES.map((name) => [name, ask(name)])) as Record<
      LeadDialogName,
      ReturnType<typeof ask>
    >),
    remove: deletion.start,
    passedOn: (lead) => offer({ undo: 'undo-match', ids: [lead.id], description: passedOnWords(lead, providers) }),
    resendEmail: useRetry({ kind: 'email', of: 'leads', to: retryLeadEmail }).mutate,
    retryCrm: useRetry({ kind: 'crm', of: 'leads', to: retryLeadSync }).mutate,
  })

  const { openId } = opening
  const isOpen = openId !== undefined
  // On a phone the list stays as it is, so that it has not moved when the lead is closed.
  const isCompact = useWideScreen('md') && isOpen
  /** Returns a function that opens the lead at this distance from the open one, if there is one. */
  const stepTo = (step: number) => {
    const list = rows ?? leads ?? []
    const at = list.findIndex(({ id }) => id === openId)
    const other = at < 0 ? undefined : list[at + step]
    return other && (() => opening.open(other.id))
  }
  const chosen = selection.isAll || selection.ids.size > 0
  // Of the leads on other pages it is not known.
  const mayHold = selection.isAll || [...selection.ids].some((id) => leadOf(id)?.held_reason !== null)

  return (
    <LeadActsProvider value={acts}>
      <div className="xl:flex xl:items-start xl:gap-4">
        <div
          className={`grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 ${isOpen ? 'max-md:invisible md:max-xl:hidden' : ''}`}
        >
          <LeadsToolbar {...{ view, setView, count, onDeleted, onKeys, onNewLead }} isCompact={isCompact} />
          <LoadError error={error} fallback="Failed to load leads" isFetching={isFetching} onRetry={() => refetch()} />
          <BulkOutcome bulk={bulk} searchOf={opening.searchOf} />
          {can('lead.manage') && chosen && total !== undefined && (
            <BulkBar {...{ selection, bulk, view, total, mayHold }} />
          )}
          {(leads || !error) && (
            <div data-density={density} className="overflow-clip rounded-2xl border border-line bg-background">
              <LeadsTable
                {...{ isStale, providers, opening, selection, retryingOf }}
                leads={rows ?? leads}
                isCompact={isCompact}
                sort={view.sort}
                onSort={(sort) => setView({ sort })}
                deleting={deletion.id}
                empty={isFiltered(view) ? <NoMatch onClear={() => setView({ filter: {} })} /> : NO_LEADS}
              />
              {total !== undefined && (
                <Pager noun="leads" total={total} page={view.page} pages={pages} onPage={(page) => setView({ page })} />
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
        {dialog && Asked && <Asked lead={dialog.lead} onClose={() => setDialog(undefined)} />}
      </div>
    </LeadActsProvider>
  )
}

/** Returns acts that stay the same while what they do changes with each render. */
function useStableActs(acts: LeadActs): LeadActs {
  const latest = useRef(acts)
  latest.current = acts
  const [stable] = useState(() => {
    const names = Object.keys(acts) as (keyof LeadActs)[]
    return Object.fromEntries(names.map((name) => [name, (of: never) => latest.current[name](of)])) as LeadActs
  })
  return stable
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

/** Returns the deliveries that this page is retrying, one by one or in bulk. Their rows stay in the list. */
function useUnderWay(bulk: BulkRun) {
  const emails = useRetrying({ kind: 'email', of: 'leads' })
  const crm = useRetrying({ kind: 'crm', of: 'leads' })
  const retryingOf = (id: number): Retrying => ({
    email: emails.has(id) || (bulk.isRunning && isRetriedBy(bulk, 'retry-email', id)),
    crm: crm.has(id) || (bulk.isRunning && isRetriedBy(bulk, 'retry-sync', id)),
  })
  const isKept = (id: number) =>
    emails.has(id) || crm.has(id) || isRetriedBy(bulk, 'retry-email', id) || isRetriedBy(bulk, 'retry-sync', id)
  return { retryingOf, isKept }
}

/** Deletes one lead at once, then focuses the row below it. */
function useDeletion(opening: ReturnType<typeof useOpenLead>, leads: Lead[] = [], onDeleted: (id: number) => void) {
  const deletion = useLeadAction({
    act: removeLead,
    failed: 'Failed to delete lead',
    done(_, id) {
      const at = leads.findIndex((lead) => lead.id === id)
      const next = leads[at + 1] ?? leads[at - 1]
      document.querySelector<HTMLElement>(`tr[data-lead="${next?.id}"]`)?.focus({ preventScroll: true })
      onDeleted(id)
    },
  })
  /** Closes the panel first: it would read a lead that is gone. */
  const start = ({ id }: Lead) => {
    if (opening.openId === id) opening.close()
    deletion.mutate(id)
  }
  return { start, id: deletion.isPending ? deletion.variables : undefined }
}

async function removeLead(id: number): Promise<void> {
  try {
    await act(deleteLead, { params: { id } })
  } catch (error) {
    const isOurAnswer = !(error instanceof HttpError) || error.code !== undefined
    throw isOurAnswer ? error : new Error(`Failed to delete lead: ${error.statusText}`, { cause: error })
  }
}

type BulkOutcomeProps = { bulk: BulkRun; searchOf: (id: number) => string }

/**
 * Shows the progress of a bulk action, then its failures or the results of its deliveries. Stays in the window while
 * staff scroll.
 */
function BulkOutcome({ bulk, searchOf }: BulkOutcomeProps) {
  const { isRunning, report, request } = bulk
  return (
    <div className="sticky top-3 z-10 rounded-2xl shadow-lg empty:hidden">
      {request && isRunning && <Progress bulk={bulk} doing={BULK_WORDS[request.action].doing} />}
      {request && report && <Report {...{ request, report, searchOf }} onClose={bulk.closeReport} />}
    </div>
  )
}

type ReportProps = Pick<BulkOutcomeProps, 'searchOf'> & {
  request: Pick<BulkRequest, 'action'>
  report: BulkReport
  onClose: () => void
}

function Report({ request, report, searchOf, onClose }: ReportProps) {
  const { failed, waiting, failures } = report
  return (
    <section
      role={failed > 0 ? 'alert' : 'status'}
      aria-label={failed > 0 ? 'What failed' : 'Outcome'}
      className={`rounded-2xl border bg-background p-4 ${failed > 0 ? 'border-bad' : 'border-line'}`}
    >
      <div className="flex items-start justify-between gap-3">
        <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{headingOf(request, report)}</p>
        <SmallButton variant="ghost" onClick={onClose} className="-mt-1">
          Close report
        </SmallButton>
      </div>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map(({ position, lead_id, name, error }) => ({
          id: position,
          error,
          owner: (
            <Link
              to={{ search: searchOf(lead_id ?? 0) }}
              preventScrollReset
              className="mr-2 inline-block min-h-6 font-semibold text-secondary hover:underline"
            >
              {name ?? `Lead #${lead_id}`}
            </Link>
          ),
        }))}
      />
    </section>
  )
}

function headingOf({ action }: Pick<BulkRequest, 'action'>, report: BulkReport): string {
  const { succeeded, failed, waiting } = report
  const { subject, done, failed: failure } = BULK_WORDS[action]
  const leads = countOf(succeeded + failed + waiting, 'lead')
  if (subject === undefined) return `${failure}: ${formatCount(failed)} of ${leads}`
  if (failed + waiting === 0) return done(leads)
  return `${subject} of ${leads}: ${resultWords(report)}`
}

function Progress({ bulk: { progress }, doing }: { bulk: BulkRun; doing: string }) {
  const { done = 0, total = 0, failed = 0 } = progress ?? {}
  return (
    <div className="grid gap-2 rounded-2xl border border-line bg-background p-4">
      <p>
        {doing}: {formatCount(done)} of {formatCount(total)}
        {failed > 0 && <span className="text-bad">, {formatCount(failed)} failed</span>}
      </p>
      <SpokenProgressBar label={doing} value={done} max={total} />
    </div>
  )
}

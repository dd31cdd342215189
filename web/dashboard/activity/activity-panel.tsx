import { useQueryStates } from 'nuqs'
import type { AuditLine } from '../../../core/contract/audit-log.ts'
import { actorName, NOT_ACCOUNTS } from '../../lib/actors.ts'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Table } from '../../ui/table.tsx'
import { AccessPanel } from './access-panel.tsx'
import { ActivityFilters, type Somebody } from './activity-filters.tsx'
import { ActivityLine, COLUMNS } from './activity-line.tsx'
import type { NameOf } from './condition-words.ts'
import { activityAddress, UNFILTERED, useActivityPage } from './use-activity-page.ts'

type Props = {
  /** The accounts, if the viewer may see them. Persons on the current page can always be chosen. */
  accounts?: { email: string; name: string }[]
  nameOf: NameOf
  canSeeAccess: boolean
}

/** Shows the audit log and, for managers, the access log. */
export function ActivityPanel(props: Props) {
  const [{ log, actor }, change] = useQueryStates(activityAddress)
  if (!props.canSeeAccess) return <Actions {...props} />

  const isAccess = log === 'access'
  const people = peopleOf(props.accounts ?? [], [], actor)
  const show = (log: 'access' | null) => void change({ ...UNFILTERED, log })
  return (
    <div className="grid gap-4">
      <fieldset className="flex gap-2">
        <legend className="sr-only">Which log</legend>
        <Button
          variant={isAccess ? 'outline' : 'primary'}
          size="small"
          aria-pressed={!isAccess}
          onClick={() => show(null)}
        >
          What was done
        </Button>
        <Button
          variant={isAccess ? 'primary' : 'outline'}
          size="small"
          aria-pressed={isAccess}
          onClick={() => show('access')}
        >
          What was read
        </Button>
      </fieldset>
      {isAccess ? <AccessPanel people={people} nameOf={props.nameOf} /> : <Actions {...props} />}
    </div>
  )
}

function Actions({ accounts = [], nameOf }: Omit<Props, 'canSeeAccess'>) {
  const { lines, total, error, isFetching, retry, page, pages, setPage, filter, choose, clear } = useActivityPage()

  return (
    <div className="grid gap-4">
      <ActivityFilters
        filter={filter}
        people={peopleOf(accounts, lines ?? [], filter.actor)}
        onChoose={choose}
        onClear={clear}
      />
      <LoadError fallback="Failed to load the activity" {...{ error, isFetching }} onRetry={retry} />
      {(lines || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-background">
          <Table
            columns={COLUMNS}
            rows={lines?.map((line) => <ActivityLine key={line.id} line={line} nameOf={nameOf} />)}
            empty={Object.keys(filter).length > 0 ? 'No activity matches.' : 'No activity yet.'}
          />
          {total !== undefined && <Pager noun="actions" total={total} page={page} pages={pages} onPage={setPage} />}
        </div>
      )}
    </div>
  )
}

/** Returns the persons to filter by, each once, by name. */
function peopleOf(accounts: { email: string; name: string }[], lines: AuditLine[], chosen = ''): Somebody[] {
  const names = new Map<string, string>()
  const add = (actor: string, actor_name: string | null) => {
    if (actor && !names.get(actor)) names.set(actor, actorName({ actor, actor_name }))
  }
  for (const { email, name } of accounts) add(email, name)
  for (const { actor, actor_name } of lines) add(actor, actor_name)
  for (const actor of [...NOT_ACCOUNTS, chosen]) add(actor, null)
  return [...names].map(([actor, name]) => ({ actor, name })).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { OutputOf } from '../../../core/contract/call.ts'
import {
  addNetworkPause,
  endNetworkPause,
  listNetworkPauses,
  type NetworkPause,
  NewNetworkPause,
} from '../../../core/providers/contract/provider-rules.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay, formatMoment, momentOfInput } from '../../lib/dates.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { fieldsOf, TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'

const PAUSES = 'network-pauses'

export function NetworkPausesCard() {
  const can = useAccess()
  const query = useQuery({ queryKey: [PAUSES], queryFn: () => call(listNetworkPauses) })
  return (
    <Card
      title="Pauses of the network"
      note="During a pause, providers need not answer: reminders wait and deadlines move. Leads still go to providers."
      isFlush
    >
      <Loaded of={query} fallback="Failed to load the pauses" className="mx-4 mb-4 h-10">
        {({ pauses, holidays }) => (
          <>
            {pauses.length === 0 && <p className="px-4 pb-4 text-quiet">No pause is planned.</p>}
            <ul className="divide-y divide-line border-t border-line empty:hidden">
              {pauses.map((pause) => (
                <PauseRow key={pause.id} pause={pause} />
              ))}
            </ul>
            {can('provider.manage') && (
              <>
                <Holidays holidays={holidays} />
                <PauseForm />
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function PauseRow({ pause }: { pause: NetworkPause }) {
  const can = useAccess()
  const { id, starts_at, ends_at, reason } = pause
  const isRunning = Date.parse(starts_at) <= Date.now()
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3.5">
      <p className="wrap-anywhere">
        <span className="font-semibold text-ink">{reason}</span>{' '}
        <span className="text-quiet">
          {formatMoment(starts_at)} to {formatMoment(ends_at)}
        </span>
      </p>
      {can('provider.manage') && (
        <ActionButton
          act={() => act(endNetworkPause, { params: { id } })}
          done={isRunning ? 'The pause has ended' : 'The pause is cancelled'}
          failed="Failed to end the pause"
          changes={PAUSES}
        >
          {isRunning ? 'End now' : 'Cancel'}
          <span className="sr-only"> {reason}</span>
        </ActionButton>
      )}
    </li>
  )
}

function Holidays({ holidays }: Pick<OutputOf<typeof listNetworkPauses>, 'holidays'>) {
  if (holidays.length === 0) return null
  return (
    <div className="grid gap-2 border-t border-line px-4 py-4">
      <h3 className="font-semibold text-ink">Federal holidays of the next 12 months</h3>
      <ul className="flex flex-wrap gap-2">
        {holidays.map((holiday) => (
          <li key={holiday.starts_at}>
            <ActionButton
              act={() => call(addNetworkPause, { body: holiday })}
              done={`The network pauses on ${holiday.reason}`}
              failed="Failed to pause the network"
              changes={PAUSES}
            >
              <span className="sr-only">Pause on </span>+ {holiday.reason}, {formatDay(holiday.starts_at)}
            </ActionButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

const EMPTY = { starts_at: '', ends_at: '', reason: '' }

/** The times are those of the network. */
function PauseForm() {
  const form = useForm({ resolver: standardSchemaResolver(NewNetworkPause), defaultValues: EMPTY })
  const adding = useAction({
    act: (body: NewNetworkPause) => call(addNetworkPause, { body }),
    done: () => form.reset(EMPTY),
    failed: 'Failed to pause the network',
    changes: PAUSES,
  })
  const field = fieldsOf(form)
  const moment = { setValueAs: momentOfInput }
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((body) => adding.mutate(body))}
      className="grid gap-x-4 border-t border-line px-4 py-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto] lg:items-start"
    >
      <TextField label="From" type="datetime-local" {...field('starts_at', moment)} />
      <TextField label="To" type="datetime-local" {...field('ends_at', moment)} />
      <TextField label="Reason" placeholder="Thanksgiving" autoComplete="off" {...field('reason')} />
      <Button type="submit" busy={adding.isPending} className="justify-self-start lg:mt-6">
        Pause the network
      </Button>
    </form>
  )
}

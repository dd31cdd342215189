import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { formatMoment, formatSince } from '../lib/dates.ts'
import { type Button, SmallButton } from './button.tsx'
import { ConfirmButton, type ConfirmButtonProps } from './confirm.tsx'
import { type Action, useAction } from './use-action.ts'

/* Parts for staff alone: public pages do not load what these need. */

type Acts<Result> = Omit<Action<void, Result>, 'key'>

export function ActionButton<Result>({
  act,
  done,
  failed,
  changes,
  ...button
}: ComponentProps<typeof Button> & Acts<Result>) {
  const action = useAction({ act, done, failed, changes })
  return <SmallButton {...button} busy={action.isPending} onClick={() => action.mutate()} />
}

export function ConfirmAction<Result>({
  act,
  done,
  failed,
  changes,
  ...button
}: Omit<ConfirmButtonProps, 'busy' | 'onConfirm'> & Acts<Result>) {
  const action = useAction({ act, done, failed, changes })
  return (
    <ConfirmButton {...button} busy={action.isPending} onConfirm={(options) => action.mutate(undefined, options)} />
  )
}

export function Since({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatSince(time)}
    </time>
  )
}

export type Fact = readonly [label: string, words: ReactNode] | null | false | ''

/** A list of facts, each beside its label. Those without words are left out. */
export function Facts({ of, className = '' }: { of: Fact[]; className?: string }) {
  return (
    <dl className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 tabular-nums ${className}`}>
      {of.map((fact) => {
        if (!fact || fact[1] == null || fact[1] === '' || fact[1] === false) return null
        return (
          <Fragment key={fact[0]}>
            <dt className="whitespace-nowrap text-quiet">{fact[0]}</dt>
            <dd className="min-w-0 wrap-anywhere text-ink">{fact[1]}</dd>
          </Fragment>
        )
      })}
    </dl>
  )
}

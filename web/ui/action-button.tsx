import type { ComponentProps } from 'react'
import { formatMoment, formatSince } from '../lib/dates.ts'
import { type Button, SmallButton } from './button.tsx'
import { ConfirmButton, type ConfirmButtonProps } from './confirm.tsx'
import { type Action, useAction } from './use-action.ts'

/* Parts for staff alone: public pages do not load what these need. */

type Acts<Result> = Omit<Action<void, Result>, 'key'>

/** A button that acts at once. */
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

/** A button that asks, then acts. */
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

/** The age of a time, with the time itself on hover. */
export function Since({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatSince(time)}
    </time>
  )
}

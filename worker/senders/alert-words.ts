import { ALERT_EVENTS, type AlertEvent } from '../../core/contract/alerts.ts'
import type { Delivery, Note } from '../../core/stores/alerts.ts'

/** The part of a message that is about one event. */
export type Group = { event: AlertEvent; label: string; notes: Note[] }

/** Returns the notes by event, in the order of the events. */
export function groupsOf(notes: Note[]): Group[] {
  return Object.entries(ALERT_EVENTS).flatMap(([event, { label }]) => {
    const own = notes.filter((note) => note.event === event)
    return own.length > 0 ? [{ event: event as AlertEvent, label, notes: own }] : []
  })
}

/** Returns the sentence of a note, which begins with “Recovered” where the state has ended. */
export function sentenceOf({ change, title, recoveredAt }: Note): string {
  if (change === 'recovered') return `Recovered: ${title}`
  return recoveredAt ? `${title} (over by now)` : title
}

/** Returns the heading of a message, for subjects and notifications. */
export function headingOf({ kind, notes }: Pick<Delivery, 'kind' | 'notes'>): string {
  if (kind === 'test') return 'Test: alerts arrive here'
  const [first, ...others] = notes
  if (kind === 'alert' && first && others.length === 0) return sentenceOf(first)
  const opened = notes.filter(({ change }) => change === 'opened').length
  const recovered = notes.length - opened
  const counts = [
    ...(opened > 0 ? [opened === 1 ? '1 alert' : `${opened} alerts`] : []),
    ...(recovered > 0 ? [`${recovered} recovered`] : []),
  ].join(', ')
  return kind === 'digest' ? `Summary: ${counts}` : counts
}

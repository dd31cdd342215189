import { CONDITION_IDS, type ConditionId, conditionOf } from '../../core/conditions/contract/conditions.ts'
import type { Delivery, Note } from '../../core/conditions/stores/alerts.ts'

/** The part of a message that is about one condition. */
export type Group = { event: ConditionId; label: string; notes: Note[] }

/** Returns the notes by condition, the most urgent first. */
export function groupsOf(notes: Note[]): Group[] {
  return CONDITION_IDS.flatMap((event) => {
    const own = notes.filter((note) => note.event === event)
    return own.length > 0 ? [{ event, label: conditionOf(event).label, notes: own }] : []
  })
}

/** Returns the sentence of a note. It says that the state has ended, where the end is announced. */
export function sentenceOf({ event, change, title, recoveredAt }: Note): string {
  if (change === 'recovered') return `Recovered: ${title}`
  return recoveredAt && conditionOf(event).alerts !== 'start' ? `${title} (over by now)` : title
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

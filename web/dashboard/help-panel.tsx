import { Link } from 'react-router-dom'
import { conditionOf } from '../../core/conditions/contract/conditions.ts'
import { UNDO_SECONDS } from '../../core/leads/contract/lead-changes.ts'
import { SmallButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { type Right, useAccess } from './access.tsx'
import type { KnownPage, PanelProps } from './address.ts'

type Term = { term: string; means: string; label: string; tab: string; search?: Record<string, string> }

const TERMS: Term[] = [
  {
    ...{ term: 'Lead', label: 'All leads', tab: 'leads' },
    means:
      'A person who asked for a provider, by a form of the site or by phone. Open it to see its provider, its outcome, your work on it, and what happened.',
  },
  {
    ...{ term: 'Unmatched', label: 'Unmatched leads', tab: 'leads', search: { unmatched: 'true' } },
    means: `${conditionOf('unmatched').about} “Match...” chooses one. “Tell them...” writes to the person that no provider is near yet, and “Close” sets the line aside.`,
  },
  {
    ...{ term: 'Held', label: 'Held leads', tab: 'leads', search: { held: 'true' } },
    means:
      'Nobody gets the lead until you have looked at it, for example because the person asked not to be contacted or the consent is not known. “Release” sends it.',
  },
  {
    ...{ term: 'Late', label: 'Late leads', tab: 'leads', search: { late: 'true' } },
    means: `${conditionOf('no-answer').about} The time counts in its business hours. Call it, or pass the lead on.`,
  },
  {
    ...{ term: 'Pass on', label: 'Late leads', tab: 'leads', search: { late: 'true' } },
    means: `Gives a lead to the next nearest provider. Both providers and the person get an email. “Undo” takes it back for ${UNDO_SECONDS} seconds, before anything is sent.`,
  },
  {
    ...{ term: 'Condition', label: 'Needs attention', tab: 'attention' },
    means:
      'Something that is wrong now. It is a line in Needs attention as long as it lasts, and goes by itself when it is solved. Alerts are about the same conditions.',
  },
  {
    ...{ term: 'Done', label: 'Needs attention', tab: 'attention' },
    means:
      'Hides a line for everyone until there is news about it. Nothing is sent. “Show snoozed and done” at the end of the page brings it back.',
  },
  {
    ...{ term: 'Snooze', label: 'Needs attention', tab: 'attention' },
    means: 'Hides a line for everyone until the time that you choose, or until there is news about it.',
  },
  {
    ...{ term: 'Retry', label: 'Failed leads', tab: 'leads', search: { failed: 'true' } },
    means:
      'Emails and CRM calls that fail are sent again automatically for more than a day. What failed permanently is sent again by “Resend Email” and “Retry CRM Sync” in the lead, or many at once in Health.',
  },
  {
    ...{ term: 'Erased', label: 'Privacy', tab: 'privacy' },
    means:
      'All data of a person are deleted permanently, and the providers and the CRM are asked to delete theirs. A deleted lead, by contrast, can be restored from “Deleted” in the menu above the leads.',
  },
]

export function HelpPanel({ known, onKeys }: PanelProps) {
  return (
    <Card
      title="Ten words of the dashboard"
      action={<SmallButton onClick={onKeys}>Keyboard shortcuts</SmallButton>}
      className="max-w-3xl"
      isFlush
    >
      <dl className="divide-y divide-line border-t border-line">
        {TERMS.map(({ term, means, label, tab, search }) => (
          <div key={term} className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[7rem_1fr_9rem]">
            <dt className="font-semibold text-ink">{term}</dt>
            <dd>{means}</dd>
            <dd className="sm:text-right">
              {known.some(({ id }) => id === tab) && (
                <Link
                  to={{ search: `?${new URLSearchParams({ tab, ...search })}` }}
                  aria-label={`${term}: ${label}`}
                  className="inline-block py-0.5 font-semibold text-secondary underline underline-offset-3 hover:text-primary max-lg:py-2.5"
                >
                  {label}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type Key = { keys: string[]; does: string; for?: Right }

const KEYS: Record<string, Key[]> = {
  Everywhere: [
    { keys: ['⌘K', 'Ctrl K'], does: 'Search and commands' },
    { keys: ['Esc'], does: 'Close what is open' },
    { keys: ['?'], does: 'Show these shortcuts' },
  ],
  'Needs attention': [
    { keys: ['j'], does: 'Next line' },
    { keys: ['k'], does: 'Previous line' },
    { keys: ['Enter'], does: 'Open the line' },
    { keys: ['e'], does: 'Done', for: 'lead.work' },
    { keys: ['z'], does: 'Snooze', for: 'lead.work' },
    { keys: ['u'], does: 'Undo the last one', for: 'lead.work' },
  ],
  Leads: [
    { keys: ['j', '↓'], does: 'Next lead' },
    { keys: ['k', '↑'], does: 'Previous lead' },
    { keys: ['Enter', 'o'], does: 'Open the lead' },
    { keys: ['Esc'], does: 'Close the lead, or clear the selection' },
    { keys: ['[', ']'], does: 'Previous and next page' },
    { keys: ['/'], does: 'Search' },
    { keys: ['c'], does: 'Enter a new lead', for: 'lead.work' },
    { keys: ['a'], does: 'Assign the open lead to me', for: 'lead.work' },
    { keys: ['n'], does: 'Write a note on the open lead', for: 'lead.work' },
  ],
  'The lead, or the selected leads': [
    { keys: ['m'], does: 'Match with a provider', for: 'lead.manage' },
    { keys: ['s'], does: 'Record an outcome', for: 'lead.work' },
    { keys: ['#'], does: 'Delete', for: 'lead.manage' },
    { keys: ['u'], does: 'Undo', for: 'lead.work' },
  ],
  'Select leads': [
    { keys: ['x'], does: 'Select the lead', for: 'lead.manage' },
    { keys: ['⇧J', '⇧K'], does: 'Extend the selection', for: 'lead.manage' },
    { keys: ['*'], does: 'Select the page', for: 'lead.manage' },
    { keys: ['b'], does: 'Go to the actions for the selection', for: 'lead.manage' },
  ],
}

type KeysProps = { tabs: KnownPage[]; onClose: () => void }

export function KeysDialog({ tabs, onClose }: KeysProps) {
  const can = useAccess()
  const goTo = tabs.flatMap(({ key, label }): Key[] => (key ? [{ keys: ['g', key], does: label }] : []))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} className="w-3xl max-w-full p-5" hasClose>
      <div className="mt-3 gap-x-8 text-sm sm:columns-2">
        {Object.entries({ ...KEYS, 'Go to': goTo }).map(([heading, keys]) => (
          <Keys key={heading} heading={heading} keys={keys.filter((key) => key.for === undefined || can(key.for))} />
        ))}
      </div>
      <p className="border-t border-line pt-3 text-sm text-quiet">The menu of ⌘K or Ctrl K has every command.</p>
    </Dialog>
  )
}

function Keys({ heading, keys }: { heading: string; keys: Key[] }) {
  if (keys.length === 0) return null
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="font-semibold text-ink">{heading}</h3>
      <dl className="mt-1.5 grid gap-1.5">
        {keys.map(({ keys: names, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {names.map((name) => (
                <kbd key={name} className="rounded border border-edge bg-mist px-1.5 font-sans text-xs text-ink">
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

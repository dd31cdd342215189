import { CAUSE_WORDS, DELIVERY_WORDS } from '../../../core/contract/failure-causes.ts'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import { Button } from '../../ui/button.tsx'

type Props = { filter: LeadFilter; onFilter: (change: Partial<LeadFilter>) => void }
type Words = { [Name in keyof LeadFilter]?: (value: NonNullable<LeadFilter[Name]>) => string | undefined }

/** The conditions that links of other tabs set and no control shows. */
const WORDS: Words = {
  target: (target) => `Failing: ${DELIVERY_WORDS[target]}`,
  cause: (cause) => CAUSE_WORDS[cause].words.replace(/\.$/, ''),
  asked_by_sync: () => 'Within reach of new clinics',
  failed: (failed) => (failed ? undefined : 'Not failed'),
  unmatched: (unmatched) => (unmatched ? undefined : 'Matched'),
  held: (held) => (held ? undefined : 'Not held'),
}

/** What the list is filtered by without a control that says so, each with the means to remove it. */
export function FilterChips({ filter, onFilter }: Props) {
  return (Object.keys(WORDS) as (keyof LeadFilter)[]).map((name) => {
    const words = wordsOf(name, filter)
    if (words === undefined) return null
    return (
      <Button
        key={name}
        variant="outline"
        size="small"
        aria-label={`${words}: remove this filter`}
        onClick={() => onFilter({ [name]: undefined })}
        className="border-secondary bg-lilac text-primary"
      >
        {words} <span aria-hidden="true">×</span>
      </Button>
    )
  })
}

function wordsOf<Name extends keyof LeadFilter>(name: Name, filter: LeadFilter): string | undefined {
  const value = filter[name]
  return value === undefined || value === null ? undefined : WORDS[name]?.(value)
}

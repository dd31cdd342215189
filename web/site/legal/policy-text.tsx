import { Fragment, type ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { usePageData } from '../../lib/page-data.ts'
import { telUrl } from '../../lib/texts.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { blocksOf } from './policy.ts'

const CALL_URL = telUrl(brand.phone)
const CONTACTS: Record<string, string> = {
  [brand.email]: `mailto:${brand.email}`,
  ...(CALL_URL && { [brand.phone]: CALL_URL }),
}

/** Shows the paragraphs and lists of one section. */
export function PolicyText({ text }: { text: string }) {
  return blocksOf(text).map((block) =>
    block.kind === 'paragraph' ? (
      <p key={block.text} className="mt-3">
        {block.label && <strong className="font-semibold text-ink">{block.label} </strong>}
        {withLinks(block.text)}
      </p>
    ) : (
      <ul key={block.items[0]} className="mt-3 list-disc space-y-1.5 pl-5 marker:text-accent">
        {block.items.map((item) => (
          <li key={item}>{withLinks(item)}</li>
        ))}
      </ul>
    ),
  )
}

/** Returns the line with our e-mail address and phone number as links. */
function withLinks(line: string): ReactNode {
  const contact = Object.keys(CONTACTS).find((each) => line.includes(each))
  if (!contact) return line

  const [before = '', ...rest] = line.split(contact)
  return (
    <Fragment>
      {withLinks(before)}
      <a href={CONTACTS[contact]} className="font-medium whitespace-nowrap text-secondary underline underline-offset-3">
        {contact}
      </a>
      {withLinks(rest.join(contact))}
    </Fragment>
  )
}

/**
 * Shows the date of the policy's last change. Without one it shows today's date, which prerendered HTML cannot contain.
 */
export function LastUpdated({ day, className }: { day?: string; className?: string }) {
  const isHydrated = useHydrated()
  const { timeZone } = usePageData()
  const today = () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date())
  return (
    <p className={className} data-live={day ? undefined : ''}>
      Last updated: {day ?? (isHydrated ? today() : 'today')}
    </p>
  )
}

import { Fragment, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { telUrl } from '../../../core/contract/texts.ts'
import { type DataKind, USUAL_TIMES, withTimes } from '../../../core/privacy/contract/data-map.ts'
import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { pageAt } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'

export type Policy = {
  intro: string
  /** The date of the last change. Defaults to the day on which the policy is read. */
  updated?: string
  /** `data`: the kinds of data that the section lists after its text. */
  sections: { id: string; title: string; text: string; data?: readonly DataKind[] }[]
}

type Block = { kind: 'paragraph'; label?: string; text: string } | { kind: 'list'; items: string[] }

const ITEM = '- '
const LABELLED = /^\*(.+)\* (.+)$/

/** Splits a text into paragraphs, which may start with a label in asterisks, and lists, whose lines start with `- `. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const line of text.trim().split('\n')) {
    const last = blocks.at(-1)
    const [, label, rest = line] = LABELLED.exec(line) ?? []
    if (!line.startsWith(ITEM)) blocks.push({ kind: 'paragraph', label, text: rest })
    else if (last?.kind === 'list') last.items.push(line.slice(ITEM.length))
    else blocks.push({ kind: 'list', items: [line.slice(ITEM.length)] })
  }
  return blocks
}

const CALL_URL = telUrl(brand.phone)
const CONTACTS: Record<string, string> = {
  [brand.email]: `mailto:${brand.email}`,
  ...(CALL_URL && { [brand.phone]: CALL_URL }),
}

export function SectionText({ text, data = [] }: Pick<Policy['sections'][number], 'text' | 'data'>) {
  const { keeping = USUAL_TIMES } = usePageData()
  const blocks = blocksOf(withTimes(text, keeping)).map((block) =>
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
  if (data.length === 0) return blocks
  return (
    <>
      {blocks}
      <ul className="mt-5 grid gap-4">
        {data.map(({ what, from, why, who, kept }) => (
          <li key={what} className="rounded-xl border border-line px-4 py-3">
            <p className="font-semibold text-ink">{what}</p>
            <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm leading-snug sm:grid-cols-[6rem_1fr]">
              {Object.entries({ From: from, 'What for': why, 'Who gets it': who, Kept: withTimes(kept, keeping) }).map(
                ([term, text]) => (
                  <Fragment key={term}>
                    <dt className="text-quiet">{term}</dt>
                    <dd>{text}</dd>
                  </Fragment>
                ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

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

/** Without a date it is today: the server's until the page is hydrated, because a kept page may be older. */
export function LastUpdated({ day, className }: { day?: string; className?: string }) {
  const isHydrated = useHydrated()
  const { timeZone, today: ofServer = 'today' } = usePageData()
  const today = () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date())
  return <p className={className}>Last updated: {day ?? (isHydrated ? today() : ofServer)}</p>
}

export function PolicyDocument({ policy: { intro, updated, sections } }: { policy: Policy }) {
  return (
    <article className="pb-20 print:pb-0">
      <PageMeta description={intro} />
      <header className="border-b border-line bg-mist print:bg-white">
        <div className="mx-auto max-w-6xl px-4 pt-12 pb-10 sm:px-6 lg:pt-20 lg:pb-14">
          <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl lg:text-6xl">
            {pageAt(useLocation().pathname)?.title}
          </h1>
          <LastUpdated day={updated} className="mt-4 text-quiet" />
          <p className="mt-6 max-w-[43.5rem] text-lg leading-relaxed">{intro}</p>
        </div>
      </header>
      <div className="mx-auto grid max-w-6xl gap-x-16 px-4 sm:px-6 lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
        <Contents sections={sections} />
        <div className="pt-4">
          {sections.map(({ id, title, text, data }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-heading`} className="max-w-[65ch] pt-8 leading-relaxed">
              <h2 id={`${id}-heading`} className="font-display text-2xl leading-snug font-medium text-ink sm:text-3xl">
                <span className="text-secondary">{index + 1}.</span> {title}
              </h2>
              <SectionText {...{ text, data }} />
            </section>
          ))}
        </div>
      </div>
    </article>
  )
}

function Contents({ sections }: Pick<Policy, 'sections'>) {
  return (
    <nav aria-label="Contents" className="relative pt-8 lg:pt-12 print:hidden">
      <div className="relative pl-8 lg:sticky lg:top-24">
        <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-4 text-edge/60" />
        <h2 className="text-sm font-semibold text-ink">On this page</h2>
        <ol className="mt-2">
          {sections.map(({ id, title }, index) => (
            <li key={id}>
              <a href={`#${id}`} className="block rounded py-1 text-quiet hover:text-secondary">
                {index + 1}. {title}
              </a>
            </li>
          ))}
        </ol>
      </div>
    </nav>
  )
}

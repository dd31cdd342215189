import type { Policy } from './policy.ts'
import { DataKinds, LastUpdated, PolicyText } from './policy-text.tsx'

/** Shows a policy as a page with a table of contents and numbered sections. */
export function PolicyDocument({ title, policy }: { title: string; policy: Policy }) {
  const { intro, updated, sections } = policy
  return (
    <article className="pb-20 print:pb-0">
      <header className="border-b border-line bg-mist print:bg-white">
        <div className="mx-auto max-w-6xl px-4 pt-12 pb-10 sm:px-6 lg:pt-20 lg:pb-14">
          <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl lg:text-6xl">{title}</h1>
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
              <PolicyText text={text} />
              {data && <DataKinds kinds={data} />}
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

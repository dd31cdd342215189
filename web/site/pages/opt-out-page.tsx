import type { OptOutPage as OptOut } from '../../../core/contract/page.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Button } from '../../ui/button.tsx'
import { WORDS } from '../opt-out/words.tsx'

/** Where the link in an e-mail leads: it asks before it does anything. The form is a plain one, sent to this address. */
export function OptOutPage({ of }: Pick<OptOut, 'of'>) {
  const { optOut } = usePageData()
  const { title, text, button } = WORDS[of][optOut?.state ?? 'invalid']

  return (
    <div className="grid grow bg-mist">
      <PageMeta title={title} />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">{title}</h1>
        {optOut?.leadId && <p className="text-xl text-ink">Request no. {optOut.leadId}</p>}
        <div className="grid max-w-[56ch] gap-4 text-lg leading-relaxed">{text}</div>
        {button && (
          <form method="post">
            <Button type="submit">{button}</Button>
          </form>
        )}
      </div>
    </div>
  )
}

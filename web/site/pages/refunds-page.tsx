import { PageMeta } from '../../ui/page-meta.tsx'
import { PolicyDocument } from '../legal/policy-document.tsx'
import { refunds } from '../legal/texts/refunds.ts'

/** In words here; the footer and its dialog have the shorter form with an ampersand. */
const TITLE = 'Refund and Cancellation Policy'

export function RefundsPage() {
  return (
    <>
      <PageMeta title={TITLE} description={refunds.intro} />
      <PolicyDocument title={TITLE} policy={refunds} />
    </>
  )
}

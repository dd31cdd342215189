import { PolicyDocument } from '../features/legal/policy-document.tsx'
import { refunds } from '../features/legal/texts/refunds.ts'
import { PageMeta } from '../ui/page-meta.tsx'

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

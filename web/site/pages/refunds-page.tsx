import { pages } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { PolicyDocument } from '../legal/policy-text.tsx'
import { refunds } from '../legal/texts/refunds.ts'

const { title = '' } = pages.refunds

/**
 * Shows the refund policy. The title is spelled out here; the footer and its dialog have a shorter one with an
 * ampersand.
 */
export function RefundsPage() {
  return (
    <>
      <PageMeta description={refunds.intro} />
      <PolicyDocument title={title} policy={refunds} />
    </>
  )
}

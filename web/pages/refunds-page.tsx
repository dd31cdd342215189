import { policies } from '../features/legal/policies.ts'
import { PolicyDocument } from '../features/legal/policy-document.tsx'
import { refunds } from '../features/legal/texts/refunds.ts'
import { PageMeta } from '../ui/page-meta.tsx'

const { title } = policies.refunds

export function RefundsPage() {
  return (
    <>
      <PageMeta title={title} description={refunds.intro} />
      <PolicyDocument title={title} policy={refunds} />
    </>
  )
}

import { PageMeta } from '../../shared/page-meta.tsx'
import { policies } from '../legal/policies.ts'
import { PolicyDocument } from '../legal/policy-text.tsx'
import { terms } from '../legal/texts/terms.ts'

export function TermsPage() {
  return (
    <>
      <PageMeta description={terms.intro} />
      <PolicyDocument title={policies.terms.title} policy={terms} />
    </>
  )
}

import { PageMeta } from '../../ui/page-meta.tsx'
import { policies } from '../legal/policies.ts'
import { PolicyDocument } from '../legal/policy-document.tsx'
import { terms } from '../legal/texts/terms.ts'

const { title } = policies.terms

export function TermsPage() {
  return (
    <>
      <PageMeta title={title} description={terms.intro} />
      <PolicyDocument title={title} policy={terms} />
    </>
  )
}

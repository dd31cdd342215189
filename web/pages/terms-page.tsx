import { policies } from '../features/legal/policies.ts'
import { PolicyDocument } from '../features/legal/policy-document.tsx'
import { terms } from '../features/legal/texts/terms.ts'
import { PageMeta } from '../ui/page-meta.tsx'

const { title } = policies.terms

export function TermsPage() {
  return (
    <>
      <PageMeta title={title} description={terms.intro} />
      <PolicyDocument title={title} policy={terms} />
    </>
  )
}

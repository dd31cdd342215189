import { policies } from '../features/legal/policies.ts'
import { PolicyDocument } from '../features/legal/policy-document.tsx'
import { privacy } from '../features/legal/texts/privacy.ts'
import { PageMeta } from '../ui/page-meta.tsx'

const { title } = policies.privacy

export function PrivacyPage() {
  return (
    <>
      <PageMeta title={title} description={privacy.intro} />
      <PolicyDocument title={title} policy={privacy} />
    </>
  )
}

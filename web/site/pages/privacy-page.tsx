import { PageMeta } from '../../shared/page-meta.tsx'
import { policies } from '../legal/policies.ts'
import { PolicyDocument } from '../legal/policy-text.tsx'
import { privacy } from '../legal/texts/privacy.ts'

export function PrivacyPage() {
  return (
    <>
      <PageMeta description={privacy.intro} />
      <PolicyDocument title={policies.privacy.title} policy={privacy} />
    </>
  )
}

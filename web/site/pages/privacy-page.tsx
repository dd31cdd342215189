import { PageMeta } from '../../ui/page-meta.tsx'
import { policies } from '../legal/policies.ts'
import { PolicyDocument } from '../legal/policy-document.tsx'
import { privacy } from '../legal/texts/privacy.ts'

const { title } = policies.privacy

export function PrivacyPage() {
  return (
    <>
      <PageMeta title={title} description={privacy.intro} />
      <PolicyDocument title={title} policy={privacy} />
    </>
  )
}

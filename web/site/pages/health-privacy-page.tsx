import { pages } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { PolicyDocument } from '../legal/policy-document.tsx'
import { healthPrivacy } from '../legal/texts/health-privacy.ts'

const { title = '' } = pages.healthPrivacy

export function HealthPrivacyPage() {
  return (
    <>
      <PageMeta description={healthPrivacy.intro} />
      <PolicyDocument title={title} policy={healthPrivacy} />
    </>
  )
}

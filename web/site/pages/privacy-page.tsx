import { PolicyDocument } from '../legal/policy-text.tsx'
import { privacy } from '../legal/texts/privacy.ts'

export const PrivacyPage = () => <PolicyDocument policy={privacy} />

import { PolicyDocument } from '../legal/policy-text.tsx'
import { terms } from '../legal/texts/terms.ts'

export const TermsPage = () => <PolicyDocument policy={terms} />

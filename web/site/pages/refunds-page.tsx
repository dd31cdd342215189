import { PolicyDocument } from '../legal/policy-text.tsx'
import { refunds } from '../legal/texts/refunds.ts'

export const RefundsPage = () => <PolicyDocument policy={refunds} />

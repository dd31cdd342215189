import { paths } from '../../paths.ts'

/** The policies by name. Each text is long, so it is loaded on demand. */
export const policies = {
  terms: {
    title: 'Terms and Conditions',
    path: paths.terms,
    load: () => import('./texts/terms.ts').then(({ terms }) => terms),
  },
  privacy: {
    title: 'Privacy Policy',
    path: paths.privacy,
    load: () => import('./texts/privacy.ts').then(({ privacy }) => privacy),
  },
  refunds: {
    title: 'Refund & Cancellation Policy',
    path: paths.refunds,
    load: () => import('./texts/refunds.ts').then(({ refunds }) => refunds),
  },
} as const

export type PolicyName = keyof typeof policies

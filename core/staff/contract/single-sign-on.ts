/** The reasons for which single sign-on fails. The sign-in page explains them. */
export const SINGLE_SIGN_ON_PROBLEMS = {
  unavailable: 'Single sign-on cannot be reached at the moment. Please try again, or sign in with a password.',
  refused: 'Single sign-on did not work. Please try again.',
  cancelled: 'You cancelled the sign-in.',
  expired: 'That took too long, or began in another browser. Please try again.',
  unverified: 'Single sign-on does not say that your e-mail address is yours. Ask your administrator.',
  unknown: 'There is no account for you here. Ask a manager to add one.',
  linked: 'Your account here belongs to another person of single sign-on. Ask a manager.',
} as const
export type SingleSignOnProblem = keyof typeof SINGLE_SIGN_ON_PROBLEMS

/** The path at which single sign-on starts. */
export const SINGLE_SIGN_ON_PATH = '/admin/sso'
/** The redirect path after PUBLIC_URL, which must be registered at the provider. */
export const SINGLE_SIGN_ON_CALLBACK = '/admin/sso/callback'
/** The query parameter of the dashboard with the result: a problem, or `done`. */
export const SINGLE_SIGN_ON_RESULT = 'sso'

/** The words on its button. */
export const SINGLE_SIGN_ON = 'Sign in with single sign-on'

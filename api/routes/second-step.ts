import { wrongCode } from '../../core/commands/staff/add-factor.ts'
import * as calls from '../../core/contract/session.ts'
import { AppError } from '../../core/errors.ts'
import * as pendingSignIns from '../../core/stores/staff-pending-sign-ins.ts'
import { createCodeCheck } from '../code-check.ts'
import { accountCredential } from '../credentials.ts'
import type { Handle } from '../handle.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { setSignInCookie, signInToken } from '../middleware/session.ts'
import { createPasskeys } from '../passkeys.ts'
import type { Services } from '../services.ts'
import { createSignIn } from '../sign-in.ts'

/** The most challenges for one address in a minute. */
const MAX_CHALLENGES_PER_MINUTE = 30

/** Registers the calls for the second step of a sign-in, and for sign-ins with a passkey, which need no first step. */
export function secondStepRoutes(handle: Handle, services: Services): void {
  const { db } = services
  const { finishSignIn } = createSignIn(services)
  const isCodeRight = createCodeCheck(services)
  const passkeys = createPasskeys(services)
  const limit = rateLimit(MAX_CHALLENGES_PER_MINUTE, 'Too many attempts. Please wait a minute.')

  handle(calls.passSecondStep, async ({ ctx, body: typed }) => {
    const token = signInToken(ctx, services)
    const pending = token ? await pendingSignIns.find(db, token) : null
    if (!token || !pending || !(await pendingSignIns.takeTry(db, token))) throw startOver()
    const { accountId, email } = pending
    if (!(await isCodeRight(accountId, typed))) {
      throw (await pendingSignIns.find(db, token)) ? wrongCode() : startOver()
    }
    // Of two valid requests at the same time, only one opens a session.
    if (!(await pendingSignIns.end(db, token))) throw startOver()

    const factor = typed.code === undefined ? 'recovery_code' : 'totp'
    return finishSignIn(ctx, await accountCredential(services, email), { accountId }, { factor })
  })

  handle(calls.requestSignInPasskey, limit, async ({ ctx }) => {
    const given = signInToken(ctx, services)
    const pending = given ? await pendingSignIns.find(db, given) : null
    const token = given && pending ? given : pendingSignIns.makePendingToken()
    setSignInCookie(ctx, services, token)
    return passkeys.request(token, 'sign-in', pending?.accountId ?? null)
  })

  handle(calls.signInByPasskey, async ({ ctx, body: { passkey } }) => {
    const token = signInToken(ctx, services)
    const proof = token ? await passkeys.verify(token, 'sign-in', passkey) : null
    if (!proof) throw new AppError('unauthorized', 'This passkey was not accepted. Please try again.')

    const { accountId, email } = proof
    return finishSignIn(ctx, await accountCredential(services, email), { accountId }, { factor: 'passkey' })
  })
}

const startOver = () => new AppError('unauthorized', 'This sign-in has ended. Please enter your password again.')

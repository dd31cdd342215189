import { AppError } from '../errors.ts'

/** The idempotency key of a form came with other details before. */
export const keyReused = () =>
  new AppError('invalid', 'This form was already sent with other details. Please reload the page and try again.')

/** What a form collided with is gone: rolled back, deleted, or its window has just closed. */
export const collided = () => new AppError('conflict', 'The same form was being sent twice. Please send it again.')

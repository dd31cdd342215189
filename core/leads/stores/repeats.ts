import { AppError } from '../../errors.ts'

/** Makes the error of a form whose idempotency key was used with other details. */
export const keyReused = () =>
  new AppError('invalid', 'This form was already sent with other details. Please reload the page and try again.')

/** Makes the error of a form whose duplicate has disappeared: rolled back, deleted, or outside the window. */
export const formCollision = () => new AppError('conflict', 'The same form was being sent twice. Please send it again.')

import { createHash, randomBytes } from 'node:crypto'

/** Makes a token that cannot be guessed: 43 characters for an address or a cookie. The database has only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash by which a token is found. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

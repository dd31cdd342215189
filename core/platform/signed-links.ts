import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

/**
 * Creates a kind of signed link. Its token has what the link says, as texts between dots, and their HMAC-SHA256. Nothing is
 * stored for it. A token may stand in an address, so it must say no name and no email address.
 * @param kind `say` gives the texts of a content, without dots; `schema` reads the content from the texts
 */
export function signedLink<Content>({
  say,
  schema,
}: {
  say(content: Content): (string | number)[]
  schema: z.ZodType<Content, string[]>
}) {
  return {
    /** @param key of the purpose of this kind (`deriveKey`), so that a token of another kind is not accepted */
    sign(key: Buffer, content: Content): string {
      const said = say(content).join('.')
      return `${said}.${macOf(key, said)}`
    },
    /** Returns the content of a token, or null unless its signature is ours. */
    read(key: Buffer, token: string): Content | null {
      const end = Math.max(token.lastIndexOf('.'), 0)
      const said = token.slice(0, end)
      const [given, expected] = [Buffer.from(token.slice(end + 1)), Buffer.from(macOf(key, said))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return schema.safeParse(said.split('.')).data ?? null
    },
  }
}

const macOf = (key: Buffer, said: string) => createHmac('sha256', key).update(said).digest('base64url')

/** Makes a token that cannot be guessed: 43 characters for an address or a cookie. The database has only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash by which a token is found. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

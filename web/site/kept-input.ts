import type { LeadField } from '../../core/contract/forms.ts'

type Input = Partial<Record<LeadField, string>>

/** Never holds the consent. It is in the memory of the tab only, so that the next person cannot find it. */
let kept: Input = {}

/** Returns what was typed on other pages. On the server it is always empty. */
export function keptInput(): Readonly<Input> {
  return kept
}

export function keepInput(values: Readonly<Input>): void {
  const typed = Object.entries(values).filter(([, value]) => value !== undefined)
  kept = { ...kept, ...Object.fromEntries(typed) }
}

export function forgetInput(): void {
  kept = {}
}

/**
 * Keys for the `Idempotency-Key` header: the same as long as the same content is sent again, so that a retry never
 * makes a second lead, and a new one once the content has changed, because the server refuses a key it knows with
 * another content.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  let last: { fingerprint: string; key: string } | undefined

  return (content) => {
    const fingerprint = JSON.stringify(content)
    if (last?.fingerprint !== fingerprint) last = { fingerprint, key: uuid() }
    return last.key
  }
}

function uuid(): string {
  // Browsers offer randomUUID on secure origins only, and a form must work on any.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

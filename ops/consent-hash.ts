import { createHash } from 'node:crypto'
import { consentTexts } from '../core/brand/consent-texts.ts'
import type { ConsentEntry } from '../core/brand/type.ts'

/** Returns the SHA-256 of a text with its version, its day and the hash of the text before it, in hex. */
export function consentHash(text: Omit<ConsentEntry, 'sha256'>, hashBefore: string): string {
  const { use, version, valid_from, wording, sharing } = text
  const parts = [hashBefore, use, version, valid_from, wording, sharing?.version ?? null, sharing?.wording ?? null]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Returns what is wrong with the list of texts, in sentences. `today` is a day such as `2026-11-26`. */
export function consentProblems(today: string, texts: readonly ConsentEntry[] = consentTexts): string[] {
  return texts.flatMap((text, index) => {
    const { version, use, valid_from, sha256 } = text
    const before = texts.slice(0, index)
    const hash = consentHash(text, before.at(-1)?.sha256 ?? '')
    return [
      ...(sha256 === hash
        ? []
        : [
            `The consent text ${version}, or the one before it, is not that of its SHA-256. A text that was shown is never changed or removed: add an entry with a new version at the end instead. A new entry has the SHA-256 ${hash}.`,
          ]),
      ...(before.some((each) => each.version === version) ? [`Two consent texts are called ${version}.`] : []),
      ...(valid_from > today ? [`The consent text ${version} is dated ahead of today: ${valid_from}.`] : []),
      ...(before.some((each) => each.use === use && each.valid_from > valid_from)
        ? [`The consent text ${version} is older than the one before it.`]
        : []),
    ]
  })
}

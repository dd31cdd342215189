import type { StaffProvider } from '../../../../core/contract/providers.ts'

/**
 * Prepares a list to be searched again and again, at each key.
 * @returns the providers whose name, practice, zip and e-mail have every word of a search in them, whatever case or accents
 */
export function createSearch(providers: StaffProvider[]): (search: string) => StaffProvider[] {
  let texts: string[] | undefined
  return (search) => {
    const words = plain(search).split(/\s+/).filter(Boolean)
    if (words.length === 0) return providers
    texts ??= providers.map(textOf)
    return providers.filter((_, index) => words.every((word) => texts?.[index]?.includes(word)))
  }
}

function textOf({ name, practiceName, zipCode, email }: StaffProvider): string {
  return plain(`${name}\n${practiceName ?? ''}\n${zipCode}\n${email}`)
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

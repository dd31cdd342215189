import { folded } from '../../core/contract/format.ts'

/**
 * Prepares a list for a search at each keystroke. @param fieldsOf returns the searched texts of an item @returns a
 * function that finds the items whose fields contain every word of a search, ignoring case and accents
 */
export function createSearch<Item>(
  items: Item[],
  fieldsOf: (item: Item) => (string | null)[],
): (search: string) => Item[] {
  let texts: string[] | undefined
  return (search) => {
    const words = plain(search).split(/\s+/).filter(Boolean)
    if (words.length === 0) return items
    texts ??= items.map((item) => plain(fieldsOf(item).join('\n')))
    return items.filter((_, index) => words.every((word) => texts?.[index]?.includes(word)))
  }
}

function plain(text: string): string {
  return folded(text).replace(/\p{M}/gu, '')
}

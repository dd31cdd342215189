/** Something that the menu can do. */
export type Command = {
  id: string
  label: string
  /** What stands beside it. */
  hint?: string
  /** Other words by which it is found. */
  keywords?: string
  run(): void
}

/** Commands under their heading. */
export type Group = { heading: string; commands: Command[] }

/** Those in which every word that was typed begins a word. */
export function matching(commands: Command[], search: string): Command[] {
  const wanted = wordsOf(search)
  return commands.filter(({ label, keywords = '' }) => {
    const words = wordsOf(`${label} ${keywords}`)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  })
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.]+/u)
    .filter(Boolean)
}

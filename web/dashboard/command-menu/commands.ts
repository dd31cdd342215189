/** An entry of the command menu. */
export type Command = {
  id: string
  label: string
  /** A text beside the label. */
  hint?: string
  /** More words that the search finds it by. */
  keywords?: string
  run(): void
}

/** Commands under their heading. */
export type Group = {
  heading: string
  commands: Command[]
  /** Shown only in a search, because there are many. */
  isFound?: true
}

/** Returns the commands in which every typed word begins a word. */
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

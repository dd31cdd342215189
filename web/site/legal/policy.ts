/** One policy, as its page and its dialog show it. */
export type Policy = {
  /** What it comes to, in a sentence or two. */
  intro: string
  /** When it last changed; without it, the day on which it is read. */
  updated?: string
  sections: { id: string; title: string; text: string }[]
}

export type Block = { kind: 'paragraph'; label?: string; text: string } | { kind: 'list'; items: string[] }

const ITEM = '- '
const LABELLED = /^\*(.+)\* (.+)$/

/**
 * A text's lines: each is a paragraph, which may start with a label between asterisks; those that start with a dash
 * and a space are the items of a list.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const line of text.trim().split('\n')) {
    const last = blocks.at(-1)
    const [, label, rest = line] = LABELLED.exec(line) ?? []
    if (!line.startsWith(ITEM)) blocks.push({ kind: 'paragraph', label, text: rest })
    else if (last?.kind === 'list') last.items.push(line.slice(ITEM.length))
    else blocks.push({ kind: 'list', items: [line.slice(ITEM.length)] })
  }
  return blocks
}

import type { DataKind } from '../../../core/privacy/contract/data-map.ts'

/** A policy, for its page and its dialog. */
export type Policy = {
  /** A summary in one or two sentences. */
  intro: string
  /** The date of the last change. Defaults to the day on which the policy is read. */
  updated?: string
  /** `data`: the kinds of data that the section lists after its text. */
  sections: { id: string; title: string; text: string; data?: readonly DataKind[] }[]
}

export type Block = { kind: 'paragraph'; label?: string; text: string } | { kind: 'list'; items: string[] }

const ITEM = '- '
const LABELLED = /^\*(.+)\* (.+)$/

/**
 * Splits a text into paragraphs and lists, one line each. A paragraph may start with a label between asterisks; a line
 * that starts with a dash and a space is a list item.
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

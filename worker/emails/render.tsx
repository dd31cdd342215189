import { compile } from 'html-to-text'
import type { ElementType, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * A text in pieces: a static, a value, a static, and so on. Texts of the same template share the same array of statics,
 * so that work on the statics can be done once and kept in a WeakMap.
 */
export type Filled = { readonly statics: readonly string[]; readonly values: readonly string[] }

/** An e-mail's body as HTML and as plain text. */
export type Rendered = { html: Filled; text: Filled }

/** The values of a template. Null means that the part with this slot is left out. */
export type Slots = Record<string, string | null>

/** What a template renders for one set of slots that are not null, with a name of a slot between each two statics. */
type Shape = { html: Cut; text: Cut; links: readonly string[] }
type Cut = { statics: readonly string[]; names: readonly string[] }

/** The shapes of each template by the names of the slots that are not null. There are few, because few slots may be null. */
const shapesOf = new Map<ElementType, Map<string, Shape>>()

/**
 * Declares that a template with these props may be rendered once per shape and then filled. The template may only place
 * a slot unchanged into a text or an address, and may only branch on whether a slot is null. An address has its scheme
 * from the template (`tel:${slot}`), or the slot is a whole web address.
 */
export function slotted<S extends Slots>(template: (slots: S) => ReactElement): (slots: S) => ReactElement {
  shapesOf.set(template, new Map())
  return template
}

/** Renders a body: a slotted template by filling its slots, everything else with React. The results are equal. */
export function render(body: ReactElement): Rendered {
  const shapes = shapesOf.get(body.type as ElementType)
  return (shapes && fillTemplate(body.type as ElementType, body.props as Slots, shapes)) ?? renderWithReact(body)
}

export function renderWithReact(body: ReactElement): Rendered {
  const { html, text } = renderToStrings(body)
  return { html: whole(html), text: whole(text) }
}

/** Returns a text without values. */
export function whole(text: string): Filled {
  return { statics: [text], values: [] }
}

export function joined({ statics, values }: Filled): string {
  let text = statics[0] as string
  for (let index = 0; index < values.length; index++) text += `${values[index]}${statics[index + 1]}`
  return text
}

/** Returns null if a value cannot be filled in, because what is around it would have to change, too. */
function fillTemplate(Template: ElementType, slots: Slots, shapes: Map<string, Shape>): Rendered | null {
  let key = ''
  for (const name in slots) {
    const value = slots[name]
    if (value == null) continue
    if (UNFIT.test(value)) return null
    key += `${name} `
  }
  let shape = shapes.get(key)
  if (!shape) {
    shape = renderShape(Template, slots)
    shapes.set(key, shape)
  }
  if (!shape.links.every((name) => WEB_ADDRESS.test(slots[name] as string))) return null
  return { html: fill(shape.html, slots, escapeHtml), text: fill(shape.text, slots, collapse) }
}

/**
 * Values that change the text around them. html-to-text drops or merges blanks at the ends of a value and between empty
 * ones. It counts the zero-width space among the blanks, also when it compares the words of a link with its address.
 */
const UNFIT = /^$|^[ \t\r\n\f]|[ \t\r\n\f]$|\u200b/
/** React, html-to-text and our templates treat other addresses in other ways. */
const WEB_ADDRESS = /^https?:\/\//

function fill({ statics, names }: Cut, slots: Slots, encode: (value: string) => string): Filled {
  return { statics, values: names.map((name) => encode(slots[name] as string)) }
}

/** Renders a template with markers in place of its slots. Their private-use characters need no encoding anywhere. */
function renderShape(Template: ElementType, slots: Slots): Shape {
  const names = Object.keys(slots)
  const markers = names.map((name, index) => [name, slots[name] == null ? null : `\ue000${index}\ue001`])
  const { html, text } = renderToStrings(<Template {...Object.fromEntries(markers)} />)
  return {
    html: cut(html, names),
    text: cut(text, names),
    links: [...html.matchAll(/ (?:href|src)="\ue000(\d+)/g)].map(([, index]) => names[Number(index)] as string),
  }
}

function cut(text: string, names: string[]): Cut {
  const pieces = text.split(/\ue000(\d+)\ue001/)
  return {
    statics: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1).map((index) => names[Number(index)] as string),
  }
}

const SPECIAL = /["&'<>]/
const ENTITIES: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#x27;', '<': '&lt;', '>': '&gt;' }

/** Escapes like React, in texts and attributes. */
function escapeHtml(value: string): string {
  return SPECIAL.test(value) ? value.replace(/["&'<>]/g, (char) => ENTITIES[char] as string) : value
}

/** Collapses blanks like html-to-text. */
function collapse(value: string): string {
  return value.replace(/[ \t\r\n\f]+/g, ' ')
}

/** React Email's doctype. Without it some mail programs use quirks mode. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** Renders like React Email's `render` and `toPlainText`, but without a stream and with the text rules compiled once. */
function renderToStrings(body: ReactElement): { html: string; text: string } {
  const markup = renderToStaticMarkup(body)
  return { html: DOCTYPE + markup, text: toText(markup) }
}

/**
 * Same rules as React Email's, but without the addresses of `tel:` and `mailto:` links, which the text already
 * contains.
 */
const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    { selector: 'a[href][data-skip-in-text=true]', format: 'skip' },
    { selector: 'a', options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
    { selector: 'a[href^="tel:"]', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'a[href^="mailto:"]', format: 'anchor', options: { ignoreHref: true } },
    // No picture says anything that the text does not.
    { selector: 'img', format: 'skip' },
    { selector: 'p.line-by-line', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    // Other tables are layout, and their cells follow each other.
    { selector: 'table.figures', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
  ],
})

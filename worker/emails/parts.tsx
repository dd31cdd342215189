import { Button } from '@react-email/button'
import { Heading } from '@react-email/heading'
import { Link } from '@react-email/link'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { dialable } from '../../core/contract/texts.ts'
import { LIGHT } from './look.ts'
import { mailbox, plain, shownPhone } from './words.ts'

/** Breaks names and addresses wider than a phone. Without the second property, Outlook ignores the line height. */
export const WORDS = { wordBreak: 'break-word', msoLineHeightRule: 'exactly' } as CSSProperties

const SUBTITLE = { ...WORDS, color: LIGHT.title, fontSize: 16, lineHeight: '24px', margin: '20px 0 8px' }
const PARAGRAPH = { ...WORDS, color: LIGHT.text, fontSize: 16, lineHeight: '25px', margin: '0 0 14px' }
const LINE = { ...WORDS, color: LIGHT.text, fontSize: 15, lineHeight: '23px', margin: '4px 0' }
export const SMALL = { ...WORDS, color: LIGHT.muted, fontSize: 13, lineHeight: '20px' }
const BUTTON = {
  backgroundColor: LIGHT.button,
  borderRadius: 6,
  color: LIGHT.onButton,
  fontSize: 16,
  fontWeight: 600,
  margin: '0 8px 10px 0',
  padding: '12px 20px',
}
const QUIET_BUTTON = {
  ...BUTTON,
  backgroundColor: LIGHT.card,
  border: `1px solid ${LIGHT.link}`,
  color: LIGHT.link,
  padding: '11px 19px',
}
const MAIN_CELL = { backgroundColor: LIGHT.button, borderRadius: 8, textAlign: 'center' } as const
const MAIN_LINK = {
  ...WORDS,
  color: LIGHT.onButton,
  display: 'block',
  fontSize: 18,
  fontWeight: 600,
  lineHeight: '26px',
  padding: '14px 16px',
  textDecoration: 'none',
} as const
const LARGE = { ...WORDS, color: LIGHT.title, fontWeight: 700 }

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="text" style={PARAGRAPH}>
      {children}
    </Text>
  )
}

export function Note({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" style={{ ...SMALL, margin: '0 0 14px' }}>
      {children}
    </Text>
  )
}

export function Subtitle({ children }: { children: ReactNode }) {
  return (
    <Heading className="title" as="h2" style={SUBTITLE}>
      {children}
    </Heading>
  )
}

/** Renders pairs of label and value, one a line, below a head if there is one. Skips pairs without a value. */
export function Facts({ of, head }: { of: [label: string, value: ReactNode][]; head?: ReactNode }) {
  return (
    <Panel>
      {head}
      {of
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <Text key={label} className="text line-by-line" style={LINE}>
            <span className="muted" style={{ color: LIGHT.muted }}>
              {label}:{' '}
            </span>
            {value}
          </Text>
        ))}
    </Panel>
  )
}

const CELL = { ...LINE, borderBottom: `1px solid ${LIGHT.line}`, margin: 0, padding: '6px 0' }
const NUMBER = { ...CELL, paddingLeft: 12, textAlign: 'right', wordBreak: 'normal' } as const
const HEAD = { ...SMALL, fontWeight: 400, wordBreak: 'normal' } as const

/** Renders a table: a text and its numbers in each row. The text part has the same columns. `columns` are the headings, that of the texts first. */
export function Figures({ columns, rows }: { columns: string[]; rows: [label: string, ...numbers: string[]][] }) {
  const [first, ...others] = columns
  return (
    <table className="figures" width="100%" border={0} cellPadding="0" cellSpacing="0" style={{ margin: '4px 0 14px' }}>
      <thead>
        <tr>
          <th className="muted line" align="left" style={{ ...CELL, ...HEAD }}>
            {first}
          </th>
          {others.map((column) => (
            <th key={column} className="muted line" align="right" style={{ ...NUMBER, ...HEAD }}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, ...numbers]) => (
          <tr key={label}>
            <td className="text line" style={CELL}>
              <Typed>{label}</Typed>
            </td>
            {numbers.map((number, index) => (
              <td key={columns[index + 1]} className="text line" align="right" style={NUMBER}>
                {number}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Steps({ of }: { of: [key: string, step: ReactNode][] }) {
  return of.map(([key, step], index) => (
    <Text key={key} className="text line-by-line" style={{ ...PARAGRAPH, margin: '0 0 10px' }}>
      <strong>{index + 1}.</strong> {step}
    </Text>
  ))
}

function Panel({ children }: { children: ReactNode }) {
  return (
    <Section style={{ margin: '4px 0 18px' }}>
      <Box className="panel" style={{ backgroundColor: LIGHT.panel, borderRadius: 6, padding: '12px 16px' }}>
        {children}
      </Box>
    </Section>
  )
}

export function Quote({ children }: { children: string }) {
  return (
    <Panel>
      <Text className="muted" style={{ ...SMALL, margin: '4px 0' }} dir="auto">
        “{plain(children)}”
      </Text>
    </Panel>
  )
}

/** Renders a line of untrusted input. It may be right-to-left without changing the direction of the text around it. */
export function Typed({ children }: { children: string }) {
  return <span dir="auto">{plain(children)}</span>
}

export function A({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className="link" href={href} style={{ color: LIGHT.link, textDecoration: 'underline' }}>
      {children}
    </Link>
  )
}

type PhoneProps = { children: string; dial?: string | null }

/** Renders a phone number, as a link if it can be dialed. */
export function Phone({ children: number, dial = dialable(number) }: PhoneProps) {
  return dial === null ? <Typed>{number}</Typed> : <A href={`tel:${dial}`}>{shownPhone(number)}</A>
}

export function Email({ children: address, box = mailbox(address) }: { children: string; box?: string }) {
  return <A href={`mailto:${box}`}>{address}</A>
}

/** The text part has only links to pages: the facts have the others. `quiet` buttons are the less important ones. */
export function Actions({ of, quiet = false }: { of: [label: string, href: string | null][]; quiet?: boolean }) {
  const actions = of.filter((action): action is [string, string] => action[1] !== null)
  if (actions.length === 0) return null
  return (
    <Section data-skip-in-text={!actions.some(([, href]) => isPage(href))} style={{ margin: '0 0 14px' }}>
      {actions.map(([label, href], index) => (
        <Fragment key={label}>
          {/* Parts the addresses in the text part. */}
          {index > 0 && ' '}
          <Button
            className={quiet ? 'quiet-button' : 'button'}
            href={href}
            data-skip-in-text={!isPage(href)}
            style={quiet ? QUIET_BUTTON : BUTTON}
          >
            {label}
          </Button>
        </Fragment>
      ))}
    </Section>
  )
}

/** Renders a wide button. The cell has the color and the padding, because Outlook gives neither to a link. */
export function MainAction({ label, href }: { label: string; href: string }) {
  return (
    <Section data-skip-in-text={!isPage(href)} style={{ margin: '0 0 14px' }}>
      <Box className="button" style={MAIN_CELL}>
        <Link className="on-button" href={href} style={MAIN_LINK}>
          {label}
        </Link>
      </Box>
    </Section>
  )
}

const TILE = { backgroundColor: LIGHT.card, border: `1px solid ${LIGHT.link}`, borderRadius: 8 }
const TILE_LINK = { ...MAIN_LINK, color: LIGHT.link, fontSize: 16, lineHeight: '22px', padding: '12px 6px' }

/** Renders links as tiles of 46 px, two beside each other. The text part has one in each line. */
export function Tiles({ of }: { of: (readonly [label: string, href: string])[] }) {
  const rows = of.flatMap((_, index) => (index % 2 === 0 ? [of.slice(index, index + 2)] : []))
  return (
    <table width="100%" border={0} cellPadding="0" cellSpacing="8" role="presentation" style={{ margin: '0 0 6px' }}>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]?.[0]}>
            {row.map(([label, href]) => (
              <td key={label} className="quiet-button" align="center" width="50%" style={TILE}>
                <Text className="line-by-line" style={{ margin: 0 }}>
                  <Link className="link" href={href} style={TILE_LINK}>
                    {label}
                  </Link>
                </Text>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Renders a line about the person that the email is about, larger than the text. `size` is in pixels. */
export function Large({ size, children }: { size: number; children: ReactNode }) {
  const style = { ...LARGE, fontSize: size, lineHeight: `${size + 8}px`, margin: '0 0 8px' }
  return (
    <Text className="title line-by-line" style={style}>
      {children}
    </Text>
  )
}

export function Unbroken({ children }: { children: ReactNode }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>
}

/** The low priority keeps React from adding a `<link>` that loads it earlier, which mail programs do not know. */
export function Picture({ src, size }: { src: string; size: number }) {
  return <img src={src} alt="" width={size} height={size} fetchPriority="low" style={{ border: 0, display: 'block' }} />
}

/** Renders names beside a picture, if there is one: the first is the larger. */
export function Names({ picture, first, second }: { picture: string | null; first: string; second: string | null }) {
  return (
    <table border={0} cellPadding="0" cellSpacing="0" role="presentation" style={{ marginBottom: 8 }}>
      <tbody>
        <tr>
          {picture !== null && (
            <td style={{ paddingRight: 16, width: 72 }}>
              <Picture src={picture} size={72} />
            </td>
          )}
          <td>
            <Text className="title line-by-line" style={{ ...LARGE, fontSize: 18, lineHeight: '26px', margin: 0 }}>
              <Typed>{first}</Typed>
            </Text>
            {second !== null && (
              <Text className="text line-by-line" style={{ ...LINE, margin: 0 }}>
                <Typed>{second}</Typed>
              </Text>
            )}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

/** Renders points below each other. The bullets are text, because Outlook moves those of a list. */
export function Points({ of }: { of: readonly string[] }) {
  return of.map((point, index) => (
    <Text
      key={point}
      className="text line-by-line"
      style={{ ...PARAGRAPH, margin: index < of.length - 1 ? '0 0 8px' : '0 0 18px' }}
    >
      • {point}
    </Text>
  ))
}

/** Returns whether a link leads to a page, and not to a phone or an email address. */
function isPage(href: string): boolean {
  return !/^(?:tel|mailto):/.test(href)
}

/** Renders a table with one cell, because Outlook supports padding only on cells. */
export function Box({ className, style, children }: { className: string; style: CSSProperties; children: ReactNode }) {
  return (
    <table width="100%" border={0} cellPadding="0" cellSpacing="0" role="presentation">
      <tbody>
        <tr>
          <td className={className} style={style}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

import { Button } from '@react-email/button'
import { Heading } from '@react-email/heading'
import { Link } from '@react-email/link'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import type { CSSProperties, ReactNode } from 'react'
import { LIGHT } from './look.ts'
import { mailtoUrl, plain, telUrl } from './words.ts'

/** Names and addresses may be longer than a phone is wide. Without the second, Outlook makes lines as high as it likes. */
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

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="text" style={PARAGRAPH}>
      {children}
    </Text>
  )
}

/** A line for those who want to know more. */
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

/** Label and value pairs, one a line. Pairs without a value are left out. */
export function Facts({ of }: { of: [label: string, value: ReactNode][] }) {
  return (
    <Panel>
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

/** What comes one after the other, numbered. */
export function Steps({ of }: { of: [key: string, step: ReactNode][] }) {
  return of.map(([key, step], index) => (
    <Text key={key} className="text line-by-line" style={{ ...PARAGRAPH, margin: '0 0 10px' }}>
      <strong>{index + 1}.</strong> {step}
    </Text>
  ))
}

/** A text set apart, on a ground of its own. */
function Panel({ children }: { children: ReactNode }) {
  return (
    <Section style={{ margin: '4px 0 18px' }}>
      <Box className="panel" style={{ backgroundColor: LIGHT.panel, borderRadius: 6, padding: '12px 16px' }}>
        {children}
      </Box>
    </Section>
  )
}

/** What was agreed to, word for word. */
export function Quote({ children }: { children: string }) {
  return (
    <Panel>
      <Text className="text" style={LINE} dir="auto">
        “{plain(children)}”
      </Text>
    </Panel>
  )
}

/** A line that a stranger typed. It may be written from right to left; what stands around it is not. */
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

/** A phone number as somebody typed it; where a telephone can dial it, a link. */
export function Phone({ children: number }: { children: string }) {
  const tel = telUrl(number)
  return tel ? <A href={tel}>{number}</A> : <Typed>{number}</Typed>
}

export function Email({ children: address }: { children: string }) {
  return <A href={mailtoUrl(address)}>{address}</A>
}

/**
 * Buttons, for those that there are; they stand under each other where the screen is narrow. The text part has only
 * those that lead to a page: who is called or written to is told by the facts.
 */
export function Actions({ of }: { of: [label: string, href: string | null][] }) {
  const actions = of.filter((action): action is [string, string] => action[1] !== null)
  if (actions.length === 0) return null
  const isPage = (href: string) => href.startsWith('http')
  return (
    <Section data-skip-in-text={!actions.some(([, href]) => isPage(href))} style={{ margin: '0 0 14px' }}>
      {actions.map(([label, href]) => (
        <Button key={label} className="button" href={href} data-skip-in-text={!isPage(href)} style={BUTTON}>
          {label}
        </Button>
      ))}
    </Section>
  )
}

/** A table of one cell. Outlook knows no padding but that of cells. */
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

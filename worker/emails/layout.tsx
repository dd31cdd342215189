import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Text } from '@react-email/text'
import { createContext, type ReactNode, useContext } from 'react'
import { brand } from '../../core/brand/brand.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import type { Settings } from './email.ts'
import { LIGHT, STYLES } from './look.ts'
import { A, Box, Note, Paragraph, Picture, SMALL, WORDS } from './parts.tsx'
import { clinicName, markUrl, TO_A_CLINIC, TO_A_VISITOR, TO_THE_TEAM } from './words.ts'

const FONT = '-apple-system, "Segoe UI", Helvetica, Arial, sans-serif'
const TITLE = { ...WORDS, color: LIGHT.title, fontSize: 22, lineHeight: '30px', margin: '12px 0 16px' }

/** Says at the top of an email that it is a test. */
export const TestNotice = createContext<string | null>(null)

type LayoutProps = {
  preview: ReactNode
  title: string
  /** The address of our mark, for emails to visitors. */
  mark?: string
  reason: string
  optOutUrl?: string
  children: ReactNode
}

/** Renders the frame of every email: brand, heading, content and sender. */
export function Layout({ preview, title, mark, reason, optOutUrl, children }: LayoutProps) {
  const testNotice = useContext(TestNotice)
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{brand.company}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, in which React would escape quotes */}
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </Head>
      <Body className="page" style={{ backgroundColor: LIGHT.page, fontFamily: FONT, margin: 0, padding: 0 }}>
        <Preview>{preview}</Preview>
        <Box className="page" style={{ backgroundColor: LIGHT.page, padding: '24px 12px' }}>
          <Container className="card" style={{ maxWidth: 560 }}>
            <Box className="paper" style={{ backgroundColor: LIGHT.card, borderRadius: 8, padding: '28px 28px 24px' }}>
              {mark === undefined ? (
                <Text className="link" style={{ color: LIGHT.link, fontSize: 14, fontWeight: 700, margin: 0 }}>
                  {brand.company}
                </Text>
              ) : (
                <Letterhead mark={mark} />
              )}
              <Heading className="title" as="h1" style={TITLE}>
                {title}
              </Heading>
              {testNotice && <Note>{testNotice}</Note>}
              {children}
              <Hr className="line" style={{ borderColor: LIGHT.line, margin: '24px 0 16px' }} />
              <Text className="muted" style={{ ...SMALL, margin: 0 }}>
                {reason}
                <br />
                {brand.company} · {brand.phone} · {brand.email}
                <br />
                {brand.legalName}, {brand.postalAddress}
                {optOutUrl && (
                  <>
                    <br />
                    {brand.company} is an informational service and not a medical provider.
                    <br />
                    To stop hearing from us, reply STOP or follow this link: <A href={optOutUrl}>Stop contacting me</A>
                  </>
                )}
              </Text>
            </Box>
          </Container>
        </Box>
      </Body>
    </Html>
  )
}

export const ToTheTeam = (layout: Omit<LayoutProps, 'reason'>) => <Layout {...layout} reason={TO_THE_TEAM} />

/** Renders the frame of an email to a clinic, which greets it if it is given. */
export const ToAClinic = ({ hello, children, ...layout }: Omit<LayoutProps, 'reason'> & { hello?: Provider }) => (
  <Layout {...layout} reason={TO_A_CLINIC}>
    {hello && <Paragraph>Hello {clinicName(hello)},</Paragraph>}
    {children}
  </Layout>
)

type ToVisitorProps = Pick<LayoutProps, 'preview' | 'title' | 'optOutUrl' | 'children'> & Settings

/** Renders the frame of an email to a visitor, with our mark and the link to stop further emails. */
export const ToVisitor = ({ env, ...layout }: ToVisitorProps) => (
  <Layout {...layout} mark={markUrl(env.PUBLIC_URL)} reason={TO_A_VISITOR} />
)

const PREVIEW = {
  display: 'none',
  lineHeight: '1px',
  maxHeight: 0,
  maxWidth: 0,
  opacity: 0,
  overflow: 'hidden',
} as const
/** Invisible characters that keep an inbox from showing what follows the preview text. Source: React Email's `Preview`. */
const PADDING = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'.repeat(110)

/** Renders the preview text of inboxes. Unlike React Email's, its padding is the same for every text, so that it can be a slot. */
function Preview({ children }: { children: ReactNode }) {
  return (
    <div style={PREVIEW} data-skip-in-text="true">
      {children}
      <div>{PADDING}</div>
    </div>
  )
}

const NAME = { ...WORDS, color: LIGHT.title, fontFamily: 'Georgia, serif', fontSize: 24, lineHeight: '40px', margin: 0 }

/** Our name is text next to the mark, so that it is there without pictures and the picture needs no words. */
function Letterhead({ mark }: { mark: string }) {
  return (
    <table border={0} cellPadding="0" cellSpacing="0" role="presentation">
      <tbody>
        <tr>
          <td style={{ paddingRight: 10 }}>
            <Picture src={mark} size={40} />
          </td>
          <td>
            <Text className="title" style={NAME}>
              {brand.company}
            </Text>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

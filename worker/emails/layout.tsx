import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { Text } from '@react-email/text'
import { createContext, type ReactNode, useContext } from 'react'
import { brand } from '../../core/brand/brand.ts'
import { LIGHT, STYLES } from './look.ts'
import { A, Box, Note, SMALL, WORDS } from './parts.tsx'

const FONT = '-apple-system, "Segoe UI", Helvetica, Arial, sans-serif'
const TITLE = { ...WORDS, color: LIGHT.title, fontSize: 22, lineHeight: '30px', margin: '12px 0 16px' }

/** Says at the top of an e-mail that it is a test. */
export const TestNotice = createContext<string | null>(null)

type LayoutProps = {
  /** The preview text that inboxes show beside the subject. */
  preview: string
  title: string
  /** The reason for which the recipient gets this e-mail. */
  reason: string
  /** The link to stop further e-mails. */
  optOutUrl?: string
  children: ReactNode
}

/** Renders the frame of every e-mail: brand, heading, content and sender. */
export function Layout({ preview, title, reason, optOutUrl, children }: LayoutProps) {
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
              <Text className="link" style={{ color: LIGHT.link, fontSize: 14, fontWeight: 700, margin: 0 }}>
                {brand.company}
              </Text>
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
                {brand.company} is an informational service and not a medical provider.
                {optOutUrl && (
                  <>
                    <br />
                    To hear no more from us, reply STOP or follow this link:{' '}
                    <A href={optOutUrl}>Do not contact me any more</A>
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

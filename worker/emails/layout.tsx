import { Body, Container, Head, Heading, Hr, Html, Preview, Section, Text } from '@react-email/components'
import type { ReactNode } from 'react'
import { brand } from '../../core/brand.ts'

const FONT = '-apple-system, "Segoe UI", Helvetica, Arial, sans-serif'

/** The frame of every e-mail: brand, heading, content, and who we are. `preview` is what inboxes show beside the subject. */
export function Layout({ preview, title, children }: { preview: string; title: string; children: ReactNode }) {
  return (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body style={{ backgroundColor: '#f6f4f9', fontFamily: FONT, margin: 0, padding: '24px 0' }}>
        <Container style={{ backgroundColor: brand.colors.background, borderRadius: 8, maxWidth: 560, padding: 32 }}>
          <Text style={{ color: brand.colors.primary, fontSize: 14, fontWeight: 700, margin: 0 }}>{brand.company}</Text>
          <Heading as="h1" style={{ color: '#1f1230', fontSize: 22, lineHeight: '30px', margin: '12px 0 16px' }}>
            {title}
          </Heading>
          {children}
          <Hr style={{ borderColor: '#e6e0ee', margin: '28px 0 16px' }} />
          <Text style={{ color: '#6b6375', fontSize: 13, lineHeight: '20px', margin: 0 }}>
            {brand.company} · {brand.phone} · {brand.email}
            <br />
            {brand.company} is an informational service and not a medical provider.
          </Text>
        </Container>
      </Body>
    </Html>
  )
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text style={{ color: brand.colors.foreground, fontSize: 16, lineHeight: '25px', margin: '0 0 14px' }}>
      {children}
    </Text>
  )
}

/** Label and value pairs, one a line. Pairs without a value are left out. */
export function Facts({ of }: { of: [label: string, value: ReactNode][] }) {
  return (
    <Section style={{ backgroundColor: '#f6f4f9', borderRadius: 6, margin: '4px 0 18px', padding: '12px 16px' }}>
      {of
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <Text
            key={label}
            style={{ color: brand.colors.foreground, fontSize: 15, lineHeight: '23px', margin: '4px 0' }}
          >
            <span style={{ color: '#6b6375' }}>{label}: </span>
            {value}
          </Text>
        ))}
    </Section>
  )
}

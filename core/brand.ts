/**
 * Who runs this site: every name, address, colour and link that a visitor sees. All of it is fictional; a company that
 * runs Leadwell puts its own here. Phone numbers are from the range 555-0100 to 555-0199, kept free for fiction
 * (source: North American Numbering Plan Administrator), domains from .example (RFC 2606).
 */
export const brand = {
  company: 'Velmora',
  product: 'Velmora Protocol',
  email: 'care@velmora.example',
  phone: '(202) 555-0142',
  starterKitUrl: 'https://shop.velmora.example/starter-kit',
  becomeProviderUrl: '/clinics',
  colors: {
    primary: '#4b157a',
    secondary: '#7928ca',
    accent: '#b24ae0',
    background: '#ffffff',
    foreground: '#333333',
  },
} as const

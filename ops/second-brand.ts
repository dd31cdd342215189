import type { Brand, Palette } from '../core/brand/type.ts'

/** Made-up values, all unlike the first brand's, for `npm run brand -- check`. */
export const brand: Brand = {
  company: 'Quillbrook',
  legalName: 'Quillbrook Care, LLC',
  postalAddress: '9 Inkwell Row, Denver, CO 80202',
  product: 'Quillbrook Course',
  email: 'hello@quillbrook.example',
  phone: '(303) 555-0187',
  arbitrationCity: 'Boise, Idaho',
  starterKitUrl: 'https://store.quillbrook.example/kit',
  becomeProviderUrl: '/clinics',
  partners: ['Alder Ledger', 'Bramble', 'Corvane', 'Dunlin', 'Elmstead', 'Fennel Post', 'Gorse', 'Hawkbit'].map(logoOf),
  financingPartners: ['Oxbow Credit', 'Pinder Pay'].map(logoOf),
  creator: {
    name: 'Dr. Imre Sandgate',
    role: 'Author of the course',
    credentials: ['Doctor of Medicine, cardiology', 'Led the study of 58 participants'],
    portrait: '/art/creator.svg',
  },
  study: {
    participants: 58,
    months: 9,
    averageIncrease: '17%',
    satisfaction: '91%+',
    gain: { length: 1.04, girth: 0.54 },
    statistics: [
      { value: '97%', label: 'saw a change' },
      { value: '2%', label: 'adverse effects' },
      { value: '58', label: 'men with a better result' },
    ],
    source: 'Internal study of 58 participants. Individual results vary.',
  },
  benefits: [
    { claim: 'Measured', why: '56 of the 58 men in the study saw a change.' },
    { claim: 'Advised by cardiologists', why: 'Guided by certified clinics.' },
    { claim: 'Without an operation', why: 'No scalpel and no filler.' },
  ],
  claims: {
    banner: ['The course is new.', 'Ask about it.'],
    homeHeadline: 'A course that you can measure.',
    finderHeadline: 'Looking for a clinic?',
    finderText: (guide) => `The Quillbrook Course is guided by ${guide}.`,
    startAssurance: 'No operation',
    homeDescription: 'A course that is guided by certified clinics.',
    clinicsDescription: 'Offer the course as a certified clinic.',
    formBanner: 'Places are open!',
    successHeadline: 'You are on your way!',
  },
  providerVideoUrl: 'https://player.quillbrook.example/embed/clinics',
}

export const palette: Palette = {
  primary: '#0b4a5e',
  secondary: '#0f6f8c',
  accent: '#2aa3c4',
  background: '#fffffe',
  foreground: '#2e3338',
  night: '#062c38',
  dusk: '#083a4a',
  ink: '#10313b',
  lilac: '#cfe8f0',
  mist: '#f2f9fb',
  paper: '#f6f0e1',
  line: '#d6e6eb',
  edge: '#7c919a',
  quiet: '#566870',
  good: '#1a6b41',
  goodSoft: '#e2f5ea',
  bad: '#a8212c',
  badDeep: '#85192a',
  badSoft: '#fcecec',
  wait: '#7a5203',
  waitBright: '#ad7010',
  waitSoft: '#fcf2d8',
}

function logoOf(name: string) {
  return { name, logo: `/art/second/${name.toLowerCase().replace(' ', '-')}.svg`, width: 160, height: 48 }
}

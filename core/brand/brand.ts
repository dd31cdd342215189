import type { Brand } from './type.ts'

/**
 * The company that runs this site: every name, address, color and link that a visitor sees. All of it is fictional, and
 * a company that runs Leadwell replaces it. Phone numbers are from the range 555-0100 to 555-0199, kept free for fiction
 * (source: North American Numbering Plan Administrator), domains from .example (RFC 2606). The magazines,
 * broadcasters, lenders and the doctor named here do not exist: they are placeholders, drawn by us.
 */
const product = 'Velmora Protocol'

export const brand: Brand = {
  company: 'Velmora',
  /** Placeholders: no such company, and no such street. */
  legalName: 'Velmora Network, Inc.',
  postalAddress: '1200 Placeholder Avenue, Suite 400, Washington, DC 20001',
  product,
  email: 'care@velmora.example',
  phone: '(202) 555-0142',
  arbitrationCity: '[City, State]',
  starterKitUrl: 'https://shop.velmora.example/starter-kit',
  becomeProviderUrl: '/clinics',
  /** Placeholders: who has written or spoken about the product. */
  partners: [
    { name: 'The Northmere Post', logo: '/art/partners/northmere-post.svg', width: 218, height: 48 },
    { name: 'Plainly, Men', logo: '/art/partners/plainly-men.svg', width: 124, height: 48 },
    { name: 'Haldenby Quarterly', logo: '/art/partners/haldenby-quarterly.svg', width: 155, height: 48 },
    { name: 'Evenkeel Radio', logo: '/art/partners/evenkeel-radio.svg', width: 162, height: 48 },
    { name: 'Quillmark', logo: '/art/partners/quillmark.svg', width: 159, height: 48 },
    { name: 'The Candle Hour', logo: '/art/partners/candle-hour.svg', width: 224, height: 48 },
    { name: 'Oakmoor Review', logo: '/art/partners/oakmoor-review.svg', width: 107, height: 48 },
    { name: 'Tarnfield', logo: '/art/partners/tarnfield.svg', width: 112, height: 48 },
  ],
  /** Placeholders: who pays in advance for patients who pay by the month. */
  financingPartners: [
    { name: 'Fernhollow', logo: '/art/financing/fernhollow.svg', width: 187, height: 48 },
    { name: 'Steadwell Pay', logo: '/art/financing/steadwell-pay.svg', width: 223, height: 48 },
  ],
  /** Placeholder: an invented person. */
  creator: {
    name: 'Dr. Corvin Hallamere',
    role: 'Creator of the protocol',
    credentials: [
      'Doctor of Medicine, urology',
      'Led the study of 32 participants',
      'Trains the certified providers of the network',
    ],
    portrait: '/art/creator.svg',
  },
  study: {
    participants: 32,
    months: 6,
    averageIncrease: '23%',
    satisfaction: '95%+',
    gain: { length: 1.04, girth: 0.54 },
    statistics: [
      { value: '100%', label: 'saw an increase' },
      { value: '0%', label: 'adverse effects' },
      { value: '32', label: 'men with improved erectile function' },
    ],
    source: 'Internal study of 32 participants. Individual results vary.',
  },
  benefits: [
    { claim: 'Clinically Proven', why: 'All 32 men in the study had a measurable increase.' },
    { claim: 'Urologist Recommended', why: 'Overseen by certified, independent providers.' },
    { claim: '100% Non-Surgical', why: 'No operation, no fillers, no adverse events in the study.' },
  ],
  claims: {
    banner: ['NEW ... Increase Size!', 'No Surgery. No Fillers. Just Results.'],
    homeHeadline: 'A measurable difference, without surgery.',
    finderHeadline: 'Want to Increase Size?',
    finderText: (guide) => `The ${product} works without surgery and without fillers, guided by ${guide}.`,
    startAssurance: 'No surgery',
    homeDescription: `The ${product} is a non-surgical program guided by certified, independent providers.`,
    clinicsDescription: `For physicians and clinic owners: offer the ${product}, a non-surgical program for men, as a certified and independent provider.`,
    formBanner: 'Limited Spots Available!',
    successHeadline: 'Your Path to Natural Male Enhancement Has Begun!',
  },
  /** Placeholder: the film for clinics, as a video platform's embedded player. */
  providerVideoUrl: 'https://www.video-nocookie.example/embed/velmora-providers',
}

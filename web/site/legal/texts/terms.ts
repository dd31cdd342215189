import { brand } from '../../../../core/brand/brand.ts'
import type { Policy } from '../policy-text.tsx'

const { company, product, email, legalName, phone, postalAddress } = brand

export const terms: Policy = {
  updated: 'February 2025',
  intro: `These terms are an agreement between you and ${company} about your use of this site. By using it you accept them. If you do not accept them, please do not use it.`,
  sections: [
    {
      id: 'informational-platform-only',
      title: 'Informational Platform Only',
      text: `
This site informs adults about the ${product} and introduces them to independent providers who offer it. That is all it does. ${company} is not a medical provider: we do not examine, diagnose or treat anybody, and we do not employ or direct those who do.
You may use this site only if you are at least 18 years old, live in the United States, and give information that is true and your own.`,
    },
    {
      id: 'no-medical-advice',
      title: 'No Medical Advice or Guaranteed Results',
      text: `
Nothing on this site is medical advice, and nothing on it takes the place of a visit to a licensed professional. Do not put off seeking advice, or disregard it, because of something you read here. In an emergency, call 911.
Results vary from person to person and are not guaranteed. The figures on this site come from a study with a small number of participants, and the size calculator only adds fixed numbers to what you enter; neither predicts what will happen to you. Whether the ${product} is suitable for you is for you and a provider to decide.`,
    },
    {
      id: 'privacy',
      title: 'Privacy',
      text: `
Our Privacy Policy says what we collect, how we use it and with whom we share it. It is part of these terms. If you send a form, you agree that we pass your request on to a provider, who may contact you in the way that you consented to.`,
    },
    {
      id: 'intellectual-property',
      title: 'Intellectual Property',
      text: `
The texts, pictures, marks and software of this site belong to ${company} or to those who licensed them to us. You may read, print and share pages for your own use. You may not copy them for a business, remove notices from them, collect them by automated means, or use our name or marks without our written permission.`,
    },
    {
      id: 'independent-providers',
      title: 'Independent Providers',
      text: `
Providers who appear on this site are independent businesses. They are not our employees, agents or partners. Each of them alone is responsible for licenses, advice, treatment, staff and premises.
That a provider is certified means that the provider has completed the training for the ${product}. It is not a promise about the outcome of a treatment. We do not promise that a provider is available near you, or that a provider will accept you as a patient.`,
    },
    {
      id: 'fees',
      title: 'Fees Are Handled by Providers',
      text: `
Using this site costs nothing, and nothing is charged on it. Prices, payment plans, payments, cancellations and refunds are agreed between you and the provider. We receive none of these payments and cannot change or return them. Our Refund & Cancellation Policy says whom to ask.`,
    },
    {
      id: 'limitation-of-liability',
      title: 'Limitation of Liability',
      text: `
This site is provided as it is, without warranties of any kind, as far as the law allows. As far as the law allows, ${company} is not liable for indirect or consequential damages, for what a provider does or fails to do, or for decisions that you make because of what you read here. Our total liability for anything connected with this site is limited to 100 US dollars.
Some states do not allow some of these limits. There, they apply only as far as that state's law permits. Nothing in these terms limits a liability that cannot be limited by law.`,
    },
    {
      id: 'arbitration',
      title: 'Arbitration',
      text: `
Please write to us first; most disputes can be settled that way. If ours cannot be settled within 60 days, it is decided by one arbitrator in binding arbitration in ${brand.arbitrationCity}, under the consumer rules of a recognized arbitration body. You and we give up a trial by jury, and each may bring claims only for itself, not as part of a class.
Either of us may instead go to a small claims court, or ask a court to stop the misuse of intellectual property. You can refuse arbitration by writing to ${email} within 30 days of first using this site. The Federal Arbitration Act governs this section.`,
    },
    {
      id: 'changes',
      title: 'Changes to These Terms',
      text: `
We may change these terms, or this site. A new version applies from the day on which it is published here with a new date, and not to what happened before. If you go on using the site after that, you accept it.`,
    },
    {
      id: 'contact',
      title: 'Contact Us',
      text: `
Questions about these terms reach us by email at ${email}, by phone at ${phone}, or by mail at ${legalName}, ${postalAddress}.`,
    },
  ],
}

import { brand } from '../../../core/brand/brand.ts'
import { DATA_KINDS } from '../../../core/privacy/contract/data-map.ts'
import { type Policy, PolicyDocument } from '../legal/policy-text.tsx'

const { company, legalName, postalAddress, product, email, phone } = brand

/** The notice that the law of Washington (RCW 19.373.020) and of Nevada (NRS 603A.540) asks for, on a page of its own. */
const healthPrivacy: Policy = {
  updated: 'November 2026',
  intro: `That you ask about the ${product} can tell of your health. This notice says what ${company} learns of that kind, why, who gets it, and what you can have done with it. It adds to our Privacy Policy, and holds for everybody, wherever they live.`,
  sections: [
    {
      id: 'what-we-collect',
      title: 'What We Collect, Why, and Where It Comes From',
      text: `
We collect consumer health data only to answer your request, or with your consent. We do not ask for your medical history; please do not send it through this site. These are the kinds:`,
      data: DATA_KINDS.filter(({ isHealth }) => isHealth),
    },
    {
      id: 'sharing',
      title: 'What We Share, and With Whom',
      text: `
We do not sell it, and we do not use it to place or measure advertisements without your consent. We share each kind with those that the list above names. They belong to these groups:
- independent clinics of our network: the one that you chose, one near you, or the next one if the first cannot help you;
- companies that work for us: hosts of this site, our email service, and our customer records system;
- an advertising service, only where a clinic’s page asks you and you agree: it then learns your network address, your browser and the page, and that a form was sent from it;
- authorities and courts, where the law requires it.
We have no affiliates with whom we share it. Ask us for the names and contact addresses of all those who got yours: write to ${email}.`,
    },
    {
      id: 'your-rights',
      title: 'Your Rights',
      text: `
You can ask us:
- whether we have health data about you, what it is, and for a copy of it;
- for the list of all third parties who got it, with a way to reach them;
- to stop collecting and sharing it, by withdrawing your consent;
- to delete it, in our records, and to tell those who got it to delete it as well.
Asking costs nothing, and you will not be treated differently for it.`,
    },
    {
      id: 'how-to-ask',
      title: 'How to Ask',
      text: `
Write to ${email} or call ${phone}. To withdraw your consent you can also use the link at the end of our emails. We may ask you to confirm that the request is yours: a link to your email address is enough. You do not need an account. We answer within 45 days, and say so if we need 45 more.`,
    },
    {
      id: 'appeal',
      title: 'How to Appeal',
      text: `
If we refuse, we say why. You can appeal within a reasonable time: write to ${email} with the word “Appeal” in the subject. Somebody else decides about it, and answers in writing within 45 days. If the answer is still no, you can complain to the attorney general of your state; in Washington at www.atg.wa.gov/file-complaint, in Nevada at ag.nv.gov.`,
    },
    {
      id: 'changes-and-contact',
      title: 'Changes and Contact',
      text: `
We collect no other kinds, use them for nothing else, and share them with nobody else unless this notice says so first and, where the law asks for it, you agree. Questions reach us at ${email} or ${phone}, or by mail at ${legalName}, ${postalAddress}.`,
    },
  ],
}

export const HealthPrivacyPage = () => <PolicyDocument policy={healthPrivacy} />

import { brand } from '../../../../core/brand/brand.ts'
import { DATA_KINDS } from '../../../../core/privacy/contract/data-map.ts'
import type { Policy } from '../policy-text.tsx'

const { company, product, email, legalName, phone, postalAddress } = brand

export const privacy: Policy = {
  updated: 'November 2026',
  intro: `${company} introduces you to an independent provider of the ${product}. This policy says what we learn about you when you use this site, what we do with it, and how you can have it changed or deleted. We do not sell your information.`,
  sections: [
    {
      id: 'information-we-collect',
      title: 'Information We Collect',
      text: `
*What you give us.* When you send a form, we receive what you entered: your first and last name, email address, phone number and zip code, and that you ticked the consent box. If you apply to become a provider, we also receive what you tell us about your practice. We do not ask for your medical history; please do not send it through this site.
*What comes with your request.* To be able to show that you agreed, we keep with each request:
- the exact wording of the consent that you saw, the sentence about sharing beside it, and their versions;
- the date and time;
- the IP address and the browser that the request came from, and the address of the page, without what follows a question mark in it.
*How you found us.* Your browser may remember which page you first and last arrived on, which site or campaign led you here, and, if you clicked an advertisement, in which network it was. Identifiers of that click are neither kept nor sent. It is stored in your own browser and sent to us only with a form. With “Do Not Track” or Global Privacy Control in your browser, nothing of it is kept.
*What we learn later.* The clinic, our customer records and our team add what became of your request: whether you were reached, an appointment, whether it took place, whether you were treated, what was paid, and notes. You may tell us yourself, too.
*What we do not take.* Your location is used on our maps only if you allow it; it is used inside your browser and is not sent to us. All pictures come from us, also those of the maps: our server fetches these from a map service, which learns nothing of you. Servers keep short technical records to keep the site running and safe; they do not contain what you enter in a form.
*Every kind of it.* This is what we keep about visitors, clinics and our own team, all of it:`,
      data: DATA_KINDS,
    },
    {
      id: 'how-we-use-it',
      title: 'How We Use It',
      text: `
We use your information for these purposes, and for no others; the list above says which is for what:
- to find the certified provider nearest to your zip code, and to pass your request on to that provider;
- to tell you by email what happened to your request, and to keep looking if no provider is in reach yet;
- to see that the provider calls you: we ask it what became of your request, ask you once whether it called, and may pass the request on to the next provider if it does not;
- to answer you when you write or call;
- to prevent abuse, and to notice when the same request arrives twice;
- to understand which pages and campaigns lead to requests, and how well providers answer them;
- to meet our legal duties, such as showing that you agreed to be contacted.
Advertising measurement starts only where a clinic’s page asks you, and after you have agreed to it. If you do not agree, or do not answer, it stays off and the site works the same. You can change your answer at any time by “Ad Measurement” at the end of the page.
That you are interested in the ${product} is itself a private matter. We treat it as sensitive for everybody, wherever they live.`,
    },
    {
      id: 'sharing',
      title: 'How We Share It',
      text: `
We do not sell your information. It goes to:
- the provider that you chose or are matched with, and the next one if that one cannot help you, who receives your name, contact details and zip code in order to call you. Providers are independent: what they do with it afterwards is governed by their own privacy notices, and by the health privacy laws that apply to them;
- companies that work for us, such as those that host this site, deliver our email and run our customer records system. They may use it only to do that work;
- advertising services, but only where a clinic’s page asks you and you agree: they then learn your network address, your browser and the page, and that a form was sent from it;
- authorities, where a law, a court order or the protection of somebody's safety requires it.
If ${company} is merged or taken over, your information may pass to the successor, who stays bound by this policy.`,
    },
    {
      id: 'consent',
      title: 'Consent to Be Contacted',
      text: `
By ticking the consent box and sending a form, you agree to calls, emails or texts about the ${product} from a provider. Consent is not a condition of any purchase. Message and data rates may apply. By submitting the form, you also ask us to share its details with the clinic that you chose, or else with a clinic near you; the form says so beside the box.
You can withdraw it at any time: use the link at the end of our emails, reply STOP to a text, tell the caller, or write to ${email}. We will tell every provider that has your request. So that you are not contacted again, we keep a code for your email address and for your phone number until you allow contact again. It can only be compared by us, with a key that is kept apart.
If your request is deleted, we keep the evidence of your consent (its wording and time, and the page it came from), without your name, email address, phone number, IP address or browser. It is signed, so that a later change to it would be noticed, and it is kept for {consents}. The IP address and the browser beside it are kept for {consentDetails}, if your request is not deleted before.`,
    },
    {
      id: 'security',
      title: 'Security',
      text: `
Information travels encrypted between your browser and this site. Only authorized staff can see requests, after signing in. Who has seen, exported or changed a request is recorded, and these records are kept for six years. What you enter in a form is kept out of our technical records.
No system is perfectly safe. If something happens that puts your information at risk, we will tell you, and the authorities, as the law requires.`,
    },
    {
      id: 'your-rights',
      title: 'Your Rights and Choices',
      text: `
Wherever in the United States you live, you can ask us:
- what we hold about you, and for a copy of it;
- to correct what is wrong;
- to delete it;
- whom we have shared it with;
- to stop contacting you.
Write to ${email} or call ${phone}. We may ask you to confirm that the request is yours, and we answer within 45 days. You will not be treated differently for asking. If we refuse, we say why, and you may ask us to look again, or turn to the attorney general of your state.
We keep a request for {leads} after we last worked on it, and delete it then, or earlier when you ask us to. If you ask us, we also ask every clinic that got it, and the company that runs our customer records, to delete it there; a clinic that treats you must keep its own medical records. A request that ends by time alone is deleted with us; a clinic keeps what it got by its own rules. Backups are overwritten in time, and what was deleted is deleted again should one be restored: for that we keep codes of what was deleted, which can only be compared by us. You can clear what your browser remembers in its settings at any time.
This site is meant for adults in the United States. We do not knowingly collect information about anybody under 18; if we learn that we have, we delete it.`,
    },
    {
      id: 'changes',
      title: 'Changes to This Policy',
      text: `
When this policy changes, the new version is published on this page with a new date. If a change affects what we do with information that you have already given us, we ask you again first, where the law requires it.`,
    },
    {
      id: 'contact',
      title: 'Contact Us',
      text: `
Questions, requests and complaints about privacy reach us by email at ${email}, by phone at ${phone}, or by mail at ${legalName}, ${postalAddress}.`,
    },
  ],
}

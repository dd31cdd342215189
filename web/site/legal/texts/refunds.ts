import { brand } from '../../../../core/brand/brand.ts'
import type { Policy } from '../policy-text.tsx'

const { company, product, email, legalName, phone, postalAddress } = brand

export const refunds: Policy = {
  intro: `${company} takes no payments for the ${product}. Whatever you pay, you pay to your provider, and your provider is the one to ask for a refund or a cancellation.`,
  sections: [
    {
      id: 'no-payments',
      title: 'No Payments Are Made to Us',
      text: `
This site is free to use. We do not sell treatments, take deposits or store card numbers, and a consultation that you ask for here is not charged by us. Because we receive nothing, there is nothing that we could refund.`,
    },
    {
      id: 'refunds',
      title: 'Refunds',
      text: `
Providers are independent and set their own prices and refund rules. Please send a refund request to the provider whom you paid. It helps to have at hand:
- the name of the practice and the date of the payment;
- the receipt or agreement that you were given;
- the reason for your request.
Before you pay, ask for the provider's refund rules in writing. If you pay in installments, ask as well what the financing company's agreement says.`,
    },
    {
      id: 'cancellations',
      title: 'Appointments and Cancellations',
      text: `
To change or cancel a consultation or a treatment, call the provider with whom it was arranged; the phone number is in the email that you received from us. If you no longer want to be contacted at all, reply STOP to a text, or write to us and we will pass it on.`,
    },
    {
      id: 'other-purchases',
      title: 'Purchases on Other Sites',
      text: `
This site links to others, such as a shop for the starter kit. What you buy there is subject to the rules of that shop.`,
    },
    {
      id: 'contact',
      title: 'If You Need Help',
      text: `
If you do not know which provider you were matched with, or cannot reach the provider, write to ${email} or to ${legalName}, ${postalAddress}, or call ${phone}. We cannot decide about a refund, but we can help you find the right person to ask.`,
    },
  ],
}

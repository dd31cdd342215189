import { anchors } from '../../pages.ts'
import { paths } from '../../paths.ts'

/** A place to go from the header: a section of the page, or another page. */
export type NavItem = { label: string; anchor: string } | { label: string; to: string }

export const navItems: NavItem[] = [
  { label: 'How It Works', anchor: anchors.howItWorks },
  { label: 'Results', anchor: anchors.sizeCalculator },
  { label: 'FAQs', anchor: anchors.faq },
  { label: 'Provider Map', to: paths.map },
]

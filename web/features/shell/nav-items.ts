/** A place to go from the header: a page, or a section of the home page. */
export type NavItem = { label: string; to: string }

export const navItems: NavItem[] = []

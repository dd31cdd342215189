import type { Kind } from './kinds.ts'

/** What fills the areas of a kind, in any SVG of the page. */
export function KindPattern({ id, kind: { color, pattern } }: { id: string; kind: Kind }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={pattern === 'plain' ? color : 'white'} />
      {pattern === 'striped' && <rect width="4" height="6" fill={color} />}
      {pattern === 'dotted' && <circle cx="3" cy="3" r="2" fill={color} />}
    </pattern>
  )
}

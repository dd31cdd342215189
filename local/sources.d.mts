export function readMark(root: string, part: 'web' | 'programs'): { file: string; mark: string; isBuilt: boolean }

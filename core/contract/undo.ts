/** The time to undo a deletion or a match, in seconds. The server allows a little more. */
export const UNDO_SECONDS = 10

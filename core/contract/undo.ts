/** How long, in seconds, staff can undo a deletion or a match. The server waits a little longer. */
export const UNDO_SECONDS = 10

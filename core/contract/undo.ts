/** How long, in seconds, staff are offered to take back a deletion. The server waits a little longer. */
export const UNDO_SECONDS = 10

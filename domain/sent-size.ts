/** The largest request that the APIs read, in bytes. */
export const MAX_SENT_BYTES = 2 * 1024 * 1024

/** The largest file in a request, in bytes: 2,000,000 characters as base64, which leaves 97,152 bytes for the rest of it. */
export const MAX_SENT_FILE_BYTES = 1_500_000

/** The right to lists of transfers. It is that of the close board, which only staff have. */
export const STAFF = 'insight:dividend.' as const
/** The right to change transfers and to download bank files and journals. */
export const PAYMENT = 'insight:monthly_payment.' as const

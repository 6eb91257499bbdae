/** Lists are for staff: the same right as the close board. */
export const STAFF = 'insight:dividend.' as const
/** What changes payments on their way, and files that leave the system. */
export const PAYMENT = 'insight:monthly_payment.' as const

/** Screens of the payment history (specification, section 2). */
export const PAYMENTS_BY_AGREEMENT_PATH = '/histories/payments-by-agreement'
export const PAYMENTS_BY_PUBLISHER_PATH = '/histories/payments-by-publisher'
export const PAYMENTS_FOR_PUBLISHERS_PATH = '/histories/payments-for-publishers'
/** Reached from the close board and the command palette; the sidebar's items are those of the specification. */
export const WHAT_IF_PATH = '/adjustments/what-if'

/** Screens of the reports (specification, section 2). */
export const DASHBOARD_PATH = '/reports/dashboard'

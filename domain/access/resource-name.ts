/**
 * Resource names are `<service>:<resource>.` with a trailing dot. The client compares by substring, so no name may
 * contain another one, or the launcher prefix of another service.
 */
export const RESOURCE_NAMES = [
  'iam:user.',
  'iam:org.',
  'iam:user_role.',
  'iam:audit_log.',
  'iam:view_as.',
  'insight:agreement.',
  'insight:agreement_publisher_rule.',
  'insight:opening_balance.',
  'insight:publisher.',
  'insight:feed.',
  'insight:medium.',
  'insight:medium_article.',
  'insight:agreement_snapshot.',
  'insight:monthly_payment.',
  'insight:monthly_publisher_payment.',
  'insight:rule_snapshot.',
  'insight:statement.',
  'insight:announcement.',
  'insight:publisher_rank.',
  'insight:bank_account.',
  'insight:agreement_bank_account.',
  'insight:summary_stats.',
  'insight:article_stats.',
  'insight:video_stats.',
  'insight:board.',
  'insight:annotation.',
  'insight:webhook.',
  'insight:api_key.',
  'insight:question.',
  'insight:answer_template.',
  'insight:legal_hold.',
  'insight:import.',
  'insight:payment_rate.',
  'insight:revenue_detail.',
  'insight:ingest.',
  'insight:in_house_field.',
  'insight:in_house_note.',
  'insight:dividend.',
  'coupon:coupon.',
  'coupon:brand.',
  'video:video.',
  'video:channel.',
  'article:article.',
] as const
export type ResourceName = (typeof RESOURCE_NAMES)[number]

/** Prefix that stands for all resources of a service. */
export type ServicePrefix = 'insight:' | 'iam:' | 'coupon:' | 'video:' | 'article:'

/** The 15 feed types. */
export const FEED_TYPES = [
  'gnf1',
  'gnf1atom',
  'gnf1_no_enclosure',
  'gnf2',
  'ldnrss',
  'legacy',
  'legacy_direct_link',
  'matome1',
  'matome2',
  'matome_scraping',
  'pulit',
  'rss_fulltext',
  'scraping_rule_only',
  'snf2',
  'video_scraper',
] as const
export type FeedType = (typeof FEED_TYPES)[number]

/** Types whose articles are scraped from the site; their address need not be a feed, so it is not watched. */
const SCRAPED: readonly FeedType[] = ['matome_scraping', 'scraping_rule_only', 'video_scraper']
/** Types that must deliver the whole article. */
const FULL_TEXT: readonly FeedType[] = ['gnf1', 'gnf1atom', 'gnf1_no_enclosure', 'gnf2', 'snf2', 'rss_fulltext']

export interface FeedTypeRules {
  readonly isFeedRead: boolean
  /** The only format of the type; undefined: any. */
  readonly format: 'rss' | 'atom' | undefined
  readonly isBodyNeeded: boolean
}

/** What a type requires of the feed. `format` is undefined when any format is accepted. */
export function feedTypeRules(type: FeedType): FeedTypeRules {
  return {
    isFeedRead: !SCRAPED.includes(type),
    format: type === 'gnf1atom' ? 'atom' : FULL_TEXT.includes(type) ? 'rss' : undefined,
    isBodyNeeded: FULL_TEXT.includes(type),
  }
}

import { useMedia } from '@pc/ui/data/entity-options.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInstant, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ReactNode } from 'react'
import styles from './content-heading.module.css'

interface ContentHeadingProps {
  listTitle: string
  listPath: `/${string}`
  title: string
  url: string | null | undefined
  /** Null: no delivery has named it; undefined: still loading. */
  publishedAt: string | null | undefined
  mediumId: string | null | undefined
  /** Undefined: still loading, or unknown. */
  publisher: { readonly name: string; readonly address: string } | undefined
  picture?: ReactNode
  facts?: readonly { readonly label: string; readonly text: ReactNode }[]
}

/** The article or video: title, URL, publisher, medium and date of publication. */
export function ContentHeading(props: ContentHeadingProps) {
  const media = useMedia()
  const { url, publishedAt, mediumId, publisher } = props
  const facts: readonly { readonly label: string; readonly text: ReactNode }[] = [
    ...(publisher ? [{ label: 'パブリッシャー', text: <a href={publisher.address}>{publisher.name}</a> }] : []),
    ...(publishedAt === undefined
      ? []
      : [{ label: '公開', text: publishedAt ? formatInstant(publishedAt) : NO_VALUE }]),
    ...(mediumId ? [{ label: '媒体', text: media.nameOf(mediumId) }] : []),
    ...(props.facts ?? []),
  ]
  return (
    <header className={styles.about}>
      {props.picture}
      <div>
        <p>
          <a href={addressOf(props.listPath)}>{props.listTitle}</a>
        </p>
        <h1>{props.title}</h1>
        {url && /^https?:\/\//.test(url) && (
          <p>
            <a href={url} target="_blank" rel="noreferrer noopener">
              {url}
            </a>
          </p>
        )}
        <dl className={styles.facts}>
          {facts.map(fact => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{fact.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </header>
  )
}

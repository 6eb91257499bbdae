import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './thumbnail.module.css'

/**
 * A video's picture; without one, or when it does not load, an empty frame. `--picture-width`, `--picture-height` and
 * `--picture-radius` (`thumbnail.module.css`) change its size.
 */
export function Thumbnail({ url }: { url: string | null }) {
  const [failedUrl, setFailedUrl] = useState<string>()
  if (!url || failedUrl === url) {
    return (
      <span className={`${styles.picture} ${styles.none}`} aria-hidden>
        <IconPhoto size={16} stroke={1.5} />
      </span>
    )
  }
  return (
    <img
      className={styles.picture}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailedUrl(url)}
    />
  )
}

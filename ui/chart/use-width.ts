import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The width of the plot. While the sidebar moves it is measured only once it has stopped. */
export function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => setWidth(place.current?.clientWidth ?? 0), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(([entry]) => {
      clearTimeout(timer)
      timer = setTimeout(() => setWidth(Math.round(entry?.contentRect.width ?? 0)), 120)
    })
    if (place.current) observer.observe(place.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return [place, width] as const
}

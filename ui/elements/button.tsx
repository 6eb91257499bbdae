import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** `danger`: what it does destroys something or moves money. */
  tone?: 'plain' | 'primary' | 'quiet' | 'danger'
}

/** With `aria-disabled`, for as long as something is under way, it keeps the focus and does nothing. */
export function Button({ icon, tone = 'plain', children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={styles.button}
      data-tone={tone}
      onClick={rest['aria-disabled'] === true ? doNothing : onClick}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

function doNothing(event: MouseEvent): void {
  event.preventDefault()
}

import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** `danger`: what it does destroys something or moves money. */
  tone?: 'plain' | 'primary' | 'quiet' | 'danger'
}

export function Button({ icon, tone = 'plain', children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={styles.button} data-tone={tone} {...rest}>
      {icon}
      {children}
    </button>
  )
}

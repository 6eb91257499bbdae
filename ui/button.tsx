import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  tone?: 'plain' | 'primary' | 'quiet'
}

export function Button({ icon, tone = 'plain', children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={styles.button} data-tone={tone} {...rest}>
      {icon}
      {children}
    </button>
  )
}

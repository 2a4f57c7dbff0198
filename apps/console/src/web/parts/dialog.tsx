import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly open: boolean;
  readonly wide?: boolean;
  onOpenChange(open: boolean): void;
  readonly children: ReactNode;
}

/** Renders a modal dialog; Escape closes it, and the focus returns to its previous element. */
export function Dialog({ title, text, open, wide = false, onOpenChange, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={`${styles.popup} ${wide ? styles.wide : ''}`}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {text !== undefined && <Base.Description className={styles.text}>{text}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

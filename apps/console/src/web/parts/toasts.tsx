import { Toast } from '@base-ui/react/toast';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

const manager = Toast.createToastManager();
const texts = createBilingual({ en: { close: 'Close' }, es: { close: 'Cerrar' } });

export interface ToastContent {
  readonly title: string;
  readonly text?: string;
  readonly tone?: 'good' | 'warn' | 'bad';
  /** Undo of the action, where possible. */
  readonly undo?: { readonly label: string; run(): unknown };
}

/** Shows a message in a corner of the page, also to screen readers. */
export function showToast({ title, text, tone = 'good', undo }: ToastContent): void {
  manager.add({
    title,
    description: text,
    type: tone,
    timeout: tone === 'bad' ? 12_000 : 6_000,
    ...(undo === undefined ? {} : { actionProps: { children: undo.label, onClick: undo.run } }),
  });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  const t = useTexts(texts);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={[]}>
      <Toast.Content>
        <Toast.Title className={styles.title} />
        <Toast.Description className={styles.text} />
      </Toast.Content>
      {toast.actionProps !== undefined && <Toast.Action render={<Button small />} />}
      <Toast.Close render={<Button small tone="quiet" />}>{t.close}</Toast.Close>
    </Toast.Root>
  ));
}

import { useLabels } from '../texts/labels.ts';
import styles from './badge.module.css';

/** Shows a state as a coloured label, with its code in the title, which operators quote to developers. */
export function Badge({ code }: { readonly code: string }) {
  const { tone, text } = useLabels()(code);
  return (
    <span className={`${styles.badge} ${tone === 'quiet' ? '' : (styles[tone] ?? '')}`} title={code}>
      {text}
    </span>
  );
}

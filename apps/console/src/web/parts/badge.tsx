import { useLabels } from '../texts/labels.ts';
import styles from './badge.module.css';

/** A state as a coloured word; its code stands in the title, for whoever talks to a developer about it. */
export function Badge({ code }: { readonly code: string }) {
  const { tone, text } = useLabels()(code);
  return (
    <span className={`${styles.badge} ${tone === 'quiet' ? '' : (styles[tone] ?? '')}`} title={code}>
      {text}
    </span>
  );
}

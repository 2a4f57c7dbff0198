import { useState } from 'react';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './query-result.tsx';
import styles from './shown-once.module.css';

const texts = createBilingual({
  en: {
    once: 'Shown now and never again. Copy it before you close this.',
    copy: 'Copy',
    copied: 'Copied',
  },
  es: {
    once: 'Se muestra ahora y nunca más. Cópielo antes de cerrar.',
    copy: 'Copiar',
    copied: 'Copiado',
  },
});

/** Shows new secrets with their names. */
export function NewSecrets({ values }: { readonly values: Readonly<Record<string, string>> }) {
  const t = useTexts(texts);
  return (
    <div className={styles.list}>
      <Notice tone="warn">{t.once}</Notice>
      {Object.entries(values).map(([name, value]) => (
        <div key={name} className={styles.row}>
          <span className={styles.name}>{name}</span>
          <code className={styles.value}>{value}</code>
          <Copy text={value} name={name} />
        </div>
      ))}
    </div>
  );
}

/** Renders a button that copies a text and confirms it. */
export function Copy({ text, name }: { readonly text: string; readonly name: string }) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button small aria-label={`${t.copy}: ${name}`} onClick={() => void copy()}>
      {isCopied ? t.copied : t.copy}
    </Button>
  );
}
